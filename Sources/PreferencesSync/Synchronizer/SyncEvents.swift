internal import FoundationEssentials
internal import Preferences
internal import PropertyList

/// The events of a synchronizer, and the state that its worker shares with its callers.
struct SyncEvents: Sendable {
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
    /// Remote changes up to this revision are received.
    var receivedRevision: Int64 = 0
  }

  var batch = Batch()
  var generationCount = 0
  var stepHandlers: [@Sendable (SyncStep) -> Void] = []
  var progress = StreamProgress()
  /// The number of pending keys as the worker last counted them, and of the changes that it has
  /// taken since.
  var pendingKeys = 0
  var takenChanges = 0

  /// Takes the events since the batch before; the keys stay.
  mutating func takeBatch() -> Batch {
    takenChanges += batch.changedKeys.count
    batch.receivedRevision = progress.received
    defer { batch = Batch(keys: batch.keys) }
    return batch
  }
}
