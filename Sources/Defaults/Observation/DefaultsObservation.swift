/// An observer that hears of changes as long as this is kept, or until it is invalidated:
/// ``Defaults/Observation``.
public protocol DefaultsObservation: AnyObject, Sendable {
  /// Ends it: no further call begins; one that another thread has begun may still be under way. Doing so
  /// again does nothing.
  func invalidate()

  /// Keeps it for as long as an object lives, and ends it then.
  ///
  /// The object is not kept. Another object takes the place of one that was given before.
  @discardableResult
  func tieToLifetime(of object: AnyObject) -> Self

  /// Undoes that; it has to be kept by other means then. Where the object has gone already, this does
  /// nothing.
  func removeLifetimeTie()
}

extension Defaults {
  /// An observer that hears of changes as long as this is kept, or until it is invalidated.
  public typealias Observation = DefaultsObservation
}
