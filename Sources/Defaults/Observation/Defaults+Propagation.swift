internal import Preferences

extension Defaults {
  /// Does something without telling those who observe or subscribe of what it changes.
  ///
  /// It is for closures of ``observe(_:options:handler:)`` and subscribers of ``publisher(_:options:)``
  /// that change what they hear of. They do not hear of what this thread changes within the closure,
  /// whichever thread would tell them, and of all that other threads change meanwhile they do. The next
  /// change that they hear of begins with the value that was set here.
  ///
  /// Sequences of `updates`, values of ``Default`` and the Observation framework take no notice: they show
  /// what the value is, and would go on showing another one.
  public static func withoutPropagation<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try Propagation.suppressNotifications(body)
  }
}
