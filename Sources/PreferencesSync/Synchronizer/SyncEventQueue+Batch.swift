internal import FoundationEssentials
internal import Preferences

extension SyncEventQueue {
  /// The events since the batch before, coalesced by key.
  struct Batch: Sendable {
    /// The synchronized keys with their generations.
    var keys: [ByteKey: Int] = [:]
    /// The removed keys.
    var removedKeys: Set<ByteKey> = []
    /// The keys changed in the store's own domain, with the dates of the changes.
    var changedKeys: [ByteKey: Date] = [:]
    /// The latest change received from the remote store for each key.
    var remoteChanges: [ByteKey: ReceivedChange] = [:]
    /// The error that ended the stream of changes; nil if it has not ended.
    var disconnection: (any Error)?
    /// The revision up to which the remote changes are received.
    var receivedRevision: Int64 = 0
    /// Whether an attempt is due at once, regardless of a pause.
    var isImmediate = false
    /// The callers waiting for completion of all work.
    var waiters: Set<Int> = []
  }
}
