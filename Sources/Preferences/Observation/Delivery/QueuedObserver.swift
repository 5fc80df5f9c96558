/// An observer that may have changes in its queue.
protocol QueuedObserver: AnyObject, Sendable {
  /// Calls the handler with the queued changes, unless another thread is about to; later if it
  /// belongs to an actor that does not run here.
  func deliver()
}
