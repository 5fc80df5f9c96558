/// A namespace for the types that subscribers receive besides values.
public enum Subscribers {
  /// The completion of a publisher.
  public enum Completion<Failure: Error>: Sendable {
    /// All values have been sent.
    case finished
    /// An error has ended the sequence of values.
    case failure(Failure)
  }
}

extension Subscribers.Completion: Equatable where Failure: Equatable {}
extension Subscribers.Completion: Hashable where Failure: Hashable {}
