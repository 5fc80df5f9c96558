public import Dispatch

extension AnyPublisher {
  /// The same values, each of which is taken on a queue: in their order, where it is a serial one.
  ///
  /// What has been sent when the subscription is canceled is not taken any more.
  public func receive(on queue: DispatchQueue) -> AnyPublisher {
    AnyPublisher { subscriber in
      sink { completion in
        queue.async { subscriber.receiveCompletion(completion) }
      } receiveValue: { value in
        // Subscribers take values on any thread anyhow.
        nonisolated(unsafe) let value = value
        queue.async { subscriber.receiveValue(value) }
      }
    }
  }
}
