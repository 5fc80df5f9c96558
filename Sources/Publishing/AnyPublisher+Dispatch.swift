public import Dispatch

extension AnyPublisher {
  /// Returns a publisher that delivers the values and the completion on a queue, in their order if
  /// the queue is serial.
  ///
  /// Nothing is delivered after the subscription is canceled, even if it is already on the queue.
  public func receive(on queue: DispatchQueue) -> AnyPublisher {
    AnyPublisher { subscriber in
      sink { completion in
        queue.async { subscriber.receiveCompletion(completion) }
      } receiveValue: { value in
        // Subscribers may be called on any thread.
        nonisolated(unsafe) let value = value
        queue.async { subscriber.receiveValue(value) }
      }
    }
  }
}
