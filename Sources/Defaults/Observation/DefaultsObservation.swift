/// An observation of keys, which lasts until it is released or invalidated:
/// ``Defaults/Observation``.
public protocol DefaultsObservation: AnyObject, Sendable {
  /// Ends the observation: no further call begins, but one on another thread may still be in
  /// progress. Further calls have no effect.
  func invalidate()

  /// Retains the observation for the lifetime of an object, and ends it with the object.
  ///
  /// The object is not retained. It replaces the object of an earlier call.
  @discardableResult
  func tieToLifetime(of object: AnyObject) -> Self

  /// Undoes ``tieToLifetime(of:)``: the caller has to retain the observation. This has no effect if
  /// the object has been released already.
  func removeLifetimeTie()
}

extension Defaults {
  /// An observation of keys, which lasts until it is released or invalidated.
  public typealias Observation = DefaultsObservation
}
