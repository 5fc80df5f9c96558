internal import Preferences
internal import PropertyList
internal import Threading

/// The events of a replica since the batch before.
struct ManagedEvents: Sendable {
  /// The latest change received for each key.
  var changes: [ByteKey: ReceivedChange] = [:]
  /// The revision up to which all changes were received; nil if none were.
  var revision: Int64?
  /// Whether a pause has ended.
  var endsPause = false

  /// Discards the changes, which are of an earlier stream.
  mutating func discardChanges() {
    changes = [:]
    revision = nil
  }
}

/// The events for the one task of a replica.
typealias ManagedEventQueue = EventQueue<ManagedEvents, ManagedPreferencesReplica.Status>

extension ManagedEventQueue {
  /// Creates the queue of a replica, which begins without a call.
  convenience init(status: StatusBoard<ManagedPreferencesReplica.Status>) {
    self.init(ManagedEvents(), hasEvents: true, status: status)
  }

  /// Ends a pause.
  func endPause() {
    post { events in
      events.endsPause = true
      return true
    }
  }

  /// Ends the queue.
  func cancel() {
    cancel { $0 = ManagedEvents() }
  }

  /// Records an update received from a stream.
  func recordUpdate(_ update: RemoteUpdate, from stream: Int) {
    post(from: stream) { events in
      for key in update.removedKeys {
        events.changes[ByteKey(key)] = .removal(revision: update.revision)
      }
      for entry in update.entries { events.changes[ByteKey(entry.key)] = .put(entry) }
      events.revision = update.revision
      return true
    }
  }

  /// Waits for events, and returns them; nil after cancellation.
  func next() async -> EventBatch<ManagedEvents>? {
    await next { exchange(&$0, with: ManagedEvents()) }
  }
}
