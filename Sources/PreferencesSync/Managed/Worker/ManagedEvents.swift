internal import Preferences
internal import PropertyList
internal import Threading

/// The events of a replica since the previous batch.
struct ManagedEvents: Sendable {
  /// The latest change received for each key.
  var changes: [ByteKey: ReceivedChange] = [:]
  /// All changes up to this revision were received; nil if none were.
  var revision: Int64?
  var endsPause = false
}

/// The events for the one task of a replica.
typealias ManagedEventQueue = EventQueue<ManagedEvents, ManagedPreferencesReplica.Status>

extension ManagedEventQueue {
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
}
