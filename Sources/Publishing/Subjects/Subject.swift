/// A publisher that values are sent to.
///
/// Any thread may send. All subscribers receive the same values in the same order; a value that is
/// sent while another one is delivered follows it.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
  /// Sends a value to all subscribers.
  func send(_ value: Output)

  /// Sends a completion to all subscribers. What is sent later is dropped, and later subscriptions
  /// complete at once.
  func send(completion: Subscribers.Completion<Failure>)
}

extension Subject where Output == Void {
  /// Sends an element without a value to all subscribers.
  public func send() {
    send(())
  }
}
