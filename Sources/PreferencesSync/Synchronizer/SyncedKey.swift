internal import FoundationEssentials
internal import PropertyList

/// What is known of a key that is synchronized: the state from which everything is decided, without doing
/// any of it.
struct SyncedKey: Sendable {
  let key: String
  /// Which of the additions of the key it comes from.
  let addition: Int

  /// What this machine has for the key; nil where that is nothing, and never was.
  private(set) var record: SyncRecord?
  /// Whether the record is to be uploaded.
  private(set) var isPending = false
  /// Whether nobody knows how old the value is: whatever the remote store has takes its place.
  private(set) var isUndated = false
  /// What the store's own domain has instead of the record's value, as long as that has to be replaced; its
  /// date means nothing.
  private(set) var replaced: SyncRecord?
  /// The revision of what the remote store has, as far as is known; 0 where that is nothing.
  private(set) var revision: Int64 = 0
  /// Why the key has come to a stop.
  private(set) var problem: SynchronizationError?
  /// Whether what is to be remembered of it has changed since it was saved.
  private(set) var isChanged = false

  /// A key of which nothing is known.
  init(_ key: String, addition: Int) {
    self.key = key
    self.addition = addition
  }

  /// A key as it was remembered.
  init(_ key: String, addition: Int, remembered: PlistValue) {
    self.init(key, addition: addition)
    do {
      let entry = try QueueEntry(remembered)
      record = entry.record
      isPending = entry.isPending
      isUndated = entry.isUndated
      replaced = entry.replaced
    } catch {
      problem = .corruptState(key: key)
    }
  }

  /// What is to be remembered of it; nil for nothing.
  var entry: QueueEntry? {
    record.map { record in
      QueueEntry(record: record, isPending: isPending, isUndated: isUndated, replaced: replaced)
    }
  }

  /// Whether the record can be uploaded.
  var isReady: Bool { isPending && problem == nil }

  /// Whether the key is not to be touched until it is added anew.
  private var isMalformed: Bool {
    if case .corruptState? = problem { true } else { false }
  }

  /// Whether the value that is here has no record.
  private var isUnsendable: Bool {
    if case .unsendableValue? = problem { true } else { false }
  }

  /// Whether the record's value has to be put into the store's own domain.
  var isReplacing: Bool { replaced != nil && !isUnstorable }

  /// Whether the store's own domain cannot hold the record's value.
  private var isUnstorable: Bool {
    if case .unstorableValue? = problem { true } else { false }
  }

  /// Whether the remote store does not take the record.
  private var isRejected: Bool {
    if case .rejectedValue? = problem { true } else { false }
  }

  // MARK: Here

  /// Takes note of the value that the store's own domain has.
  ///
  /// - Parameters:
  ///   - date: When it was set, if it is another one than was known.
  ///   - isNew: Whether that was before anything was known of the key.
  mutating func note(_ value: PlistValue?, at date: Date, isNew: Bool = false) {
    if isMalformed { return }
    if isUnsendable { problem = nil }
    // What was to be replaced is no change as long as it is there.
    if value == record?.value || replaced.map({ $0.value == value }) == true { return }
    do throws(SyncRecordError) {
      record = try SyncRecord(date: record?.dateOfNextChange(at: date) ?? date, value: value)
      if isRejected || isUnstorable { problem = nil }
      isPending = true
      isUndated = isNew
      replaced = nil
      isChanged = true
    } catch {
      problem = .unsendableValue(key: key, error)
    }
  }

  /// Takes note that the value was set after the key was added.
  mutating func noteTouch() {
    isChanged = isChanged || isUndated
    isUndated = false
  }

  /// Has the record's value put in the place of one that the store's own domain has against all
  /// expectation.
  mutating func restore(over value: PlistValue?) {
    guard !isMalformed, let record, value != record.value else { return }
    // A value that no record can hold has brought the key to a stop before.
    replaced = try? SyncRecord(date: record.date, value: value)
    isChanged = true
  }

  /// Takes note that the store's own domain has the record's value on its disk, or a later one.
  mutating func noteReplacement() {
    replaced = nil
    isChanged = true
  }

  /// Takes note that the store's own domain cannot have the record's value.
  mutating func noteUnstorable() { problem = .unstorableValue(key: key) }

  /// Takes note that what was remembered may have been lost.
  mutating func noteLoss() { isChanged = isChanged || !isMalformed }

  /// Takes note that what is to be remembered was saved.
  mutating func noteSaving() { isChanged = false }

  // MARK: There

  /// Takes note of an entry of the remote store.
  ///
  /// - Parameter value: What the store's own domain has, of which note was taken.
  mutating func receive(_ entry: RemoteEntry, over value: PlistValue?) {
    guard !isMalformed, !isUnsendable, entry.revision > revision else { return }
    revision = entry.revision
    let remote: SyncRecord
    do throws(SyncRecordError) {
      remote = try SyncRecord(entry.data)
    } catch {
      problem = .unreadableRecord(key: key, error)
      return
    }
    // The bytes before these may have been no record, or another one.
    if !isUnstorable || remote != record { problem = nil }
    guard let record, !isUndated else { return adopt(remote, over: value) }
    if remote == record {
      settle()
    } else if remote.supersedes(record) {
      adopt(remote, over: value)
    } else if !isPending {
      isPending = true
      isChanged = true
    }
  }

  private mutating func adopt(_ remote: SyncRecord, over value: PlistValue?) {
    record = remote
    isChanged = true
    settle()
    replaced = nil
    restore(over: value)
  }

  private mutating func settle() {
    isChanged = isChanged || isPending || isUndated
    isPending = false
    isUndated = false
  }

  /// Takes note of the revision of the entry that the remote store has at present.
  mutating func noteSnapshot(revision present: Int64) {
    // One that was brought back from a copy counts from there.
    if present < revision { revision = 0 }
  }

  /// Takes note that the remote store has nothing for the key.
  mutating func receiveNothing() {
    revision = 0
    if case .unreadableRecord? = problem { problem = nil }
    guard record != nil, !isPending else { return }
    isPending = true
    isChanged = true
  }

  /// Takes note that the remote store never takes the record.
  mutating func noteRejection(_ reason: String) {
    problem = .rejectedValue(key: key, reason: reason)
  }

  /// Takes note that the record was uploaded.
  mutating func noteUpload(revision new: Int64) {
    revision = max(revision, new)
    settle()
  }
}
