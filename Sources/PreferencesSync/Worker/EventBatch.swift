/// The events that a worker takes from its queue, those since the batch before, and the waiters.
struct EventBatch<Events: Sendable>: Sendable {
  /// The events that are special to the worker.
  var events: Events
  /// The error that ended the stream of changes; nil if it has not ended.
  var disconnection: (any Error)?
  /// Whether an attempt is due at once, regardless of a pause.
  var isImmediate: Bool
  /// The callers waiting for completion of all work.
  var waiters: Set<Int>
}
