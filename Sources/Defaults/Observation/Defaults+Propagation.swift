internal import Preferences

extension Defaults {
  /// Runs a closure whose changes are not reported to observers, subscribers and sequences.
  ///
  /// Closures of ``observe(_:options:handler:)``, subscribers of ``publisher(_:options:)`` and loops
  /// over `updates` use it to change the keys that they observe. Only changes that this thread makes within the
  /// closure are suppressed; changes of other threads at the same time are reported. The old value
  /// of the next reported change is the value set here, and so is that of the key in the next
  /// element of a sequence of several keys.
  ///
  /// The values of ``Default`` and the Observation framework are not affected, since they reflect
  /// the current value.
  public static func withoutPropagation<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try Propagation.suppressNotifications(body)
  }
}
