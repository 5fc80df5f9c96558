internal import FoundationEssentials
internal import Preferences
internal import PropertyList

/// The state of a synchronized key, with all decisions and no input or output.
struct SyncedKey: Sendable {
  let key: String
  /// The number of the call that added the key; a key that is removed and added again gets another
  /// one.
  let generation: Int

  /// The last known record of this machine; nil if the key never had a value.
  private(set) var record: SyncRecord?
  /// Whether the record is a pending upload.
  private(set) var isPending = false
  /// Whether the age of the value is unknown: any remote value replaces it.
  private(set) var isUndated = false
  /// The local value, as long as the record's value has to replace it; the date has no meaning.
  private(set) var replaced: SyncRecord?
  /// Whether the record's value has replaced it in memory, though perhaps not on disk.
  private(set) var isReplacedInMemory = false
  /// The last known revision of the remote entry; 0 if there is none.
  private(set) var revision: Int64 = 0
  /// The time of the remote record; nil if there is none or it is unknown.
  private var remoteTime: HybridTime?
  /// Whether the record is that of a removal that was collected, which is forgotten once the store's
  /// own domain has no value.
  private var isCollected = false
  /// The error that has stopped the synchronization of the key.
  private(set) var problem: SynchronizationError?
  /// Whether the entry of the state file is out of date.
  private(set) var isUnsaved = false

  /// Creates the state of an unknown key.
  init(_ key: String, generation: Int) {
    self.key = key
    self.generation = generation
  }

  /// Restores the state of a key from its entry in the state file.
  init(_ key: String, generation: Int, stored: PlistValue) {
    self.init(key, generation: generation)
    do {
      let entry = try StateFileEntry(stored)
      record = entry.record
      isPending = entry.isPending
      isUndated = entry.isUndated
      replaced = entry.replaced
    } catch {
      problem = .corruptState(key: key)
    }
  }

  /// The entry for the state file; nil for none.
  var entry: StateFileEntry? {
    record.map { record in
      StateFileEntry(
        record: record, isPending: isPending, isUndated: isUndated, replaced: replaced)
    }
  }

  /// Whether the record is pending and nothing prevents its upload.
  var isUploadable: Bool { isPending && problem == nil }

  /// Whether the record's value has to be written to the store's own domain.
  var needsLocalWrite: Bool { replaced != nil && !isUnstorable }

  /// Whether the store's own domain had a value on disk when the state was saved.
  var hasSavedValue: Bool { (replaced ?? record)?.value != nil }

  // MARK: Problems

  private var isCorrupt: Bool {
    if case .corruptState? = problem { true } else { false }
  }

  private var isUnencodable: Bool {
    if case .unencodableValue? = problem { true } else { false }
  }

  private var isUnstorable: Bool {
    if case .unstorableValue? = problem { true } else { false }
  }

  private var isRejected: Bool {
    if case .rejectedValue? = problem { true } else { false }
  }

  // MARK: Local changes

  /// Merges the current value of the store's own domain.
  ///
  /// - Parameters:
  ///   - date: The date of the change, if the value differs from the known one.
  ///   - origin: The origin of the change.
  ///   - isInitial: Whether the value was set before anything was known of the key.
  mutating func mergeLocal(
    _ value: PlistValue?, setAt date: Date, by origin: String, isInitial: Bool = false
  ) {
    if isCorrupt { return }
    if isUnencodable { problem = nil }
    if value == record?.value { return }
    // A value that is still to be replaced is not a change.
    if let replaced, replaced.value == value, !isReplacedInMemory { return }
    do throws(SyncRecordError) {
      record = try SyncRecord(
        time: .next(after: record?.time, at: date, by: origin), value: value)
      if isRejected || isUnstorable { problem = nil }
      isPending = true
      isUndated = isInitial
      isCollected = false
      replaced = nil
      isUnsaved = true
    } catch {
      problem = .unencodableValue(key: key, error)
    }
  }

  /// Marks the value as set after the key was added.
  mutating func markDated() {
    isUnsaved = isUnsaved || isUndated
    isUndated = false
  }

  /// Schedules the record's value to replace an unexpected value of the store's own domain.
  mutating func scheduleLocalWrite(over value: PlistValue?) {
    guard !isCorrupt, let record, value != record.value else { return }
    // A value that cannot be encoded has stopped the key before.
    replaced = try? SyncRecord(time: record.time, value: value)
    isReplacedInMemory = false
    isUnsaved = true
  }

  /// Marks the record's value, or a later one, as set in the store's own domain, but not saved yet.
  mutating func markLocalWrite() { isReplacedInMemory = true }

  /// Marks the record's value, or a later one, as saved in the store's own domain.
  mutating func markLocalWriteSaved() {
    replaced = nil
    isUnsaved = true
    if isCollected { forget() }
  }

  /// Stops the key because the store's own domain cannot have the record's value.
  mutating func markUnstorable(_ reason: PreferencesError) {
    problem = .unstorableValue(key: key, reason)
  }

  /// Marks the state as not saved, because the state file may have been lost.
  mutating func markUnsaved() { isUnsaved = isUnsaved || !isCorrupt }

  /// Marks the state as saved to the state file.
  mutating func markSaved() { isUnsaved = false }

  // MARK: Remote changes

  /// Merges an entry of the remote store.
  ///
  /// - Parameter value: The value of the store's own domain, already merged.
  mutating func mergeRemote(_ entry: RemoteEntry, over value: PlistValue?) {
    guard !isCorrupt, !isUnencodable, entry.revision > revision else { return }
    revision = entry.revision
    let remote: SyncRecord
    do throws(SyncRecordError) {
      remote = try SyncRecord(entry.data)
    } catch {
      problem = .unreadableRecord(key: key, error)
      return
    }
    remoteTime = remote.time
    // The problem may have been that of an earlier entry.
    if !isUnstorable || remote != record { problem = nil }
    guard let record, !isUndated else { return adopt(remote, over: value) }
    if remote == record {
      clearPending()
    } else if remote.supersedes(record) {
      adopt(remote, over: value)
    } else if !isPending {
      isPending = true
      isUnsaved = true
    }
  }

  private mutating func adopt(_ remote: SyncRecord, over value: PlistValue?) {
    record = remote
    isUnsaved = true
    isCollected = false
    clearPending()
    replaced = nil
    scheduleLocalWrite(over: value)
  }

  private mutating func clearPending() {
    isUnsaved = isUnsaved || isPending || isUndated
    isPending = false
    isUndated = false
  }

  /// Forgets the known revision if the remote store is behind it, or has another entry at it, as after
  /// a restore from a backup.
  mutating func discardRevision(unlessOf entry: RemoteEntry) {
    let isOther = entry.revision == revision && (try? SyncRecord(entry.data))?.time != remoteTime
    if entry.revision < revision || isOther { revision = 0 }
  }

  /// Merges the absence of an entry in the remote store.
  ///
  /// - Parameters:
  ///   - collected: The latest time of a removal that was collected; nil if there is none.
  ///   - hasSeenAll: Whether all changes up to the collected removals have been merged in this run.
  ///   - value: The value of the store's own domain, already merged.
  mutating func mergeRemoteAbsence(
    collected: HybridTime?, hasSeenAll: Bool, over value: PlistValue?
  ) {
    let hasSeenEntry = revision > 0
    revision = 0
    remoteTime = nil
    if case .unreadableRecord? = problem { problem = nil }
    guard let record, !isPending, !isCollected, !isCorrupt else { return }
    let isBeforeCollected = collected.map { record.time <= $0 } ?? false
    if isBeforeCollected, record.value == nil, replaced == nil { return forget() }
    // The removal of an entry whose removal record was not collected was made by a program that
    // does not synchronize.
    if isBeforeCollected, let collected, !(hasSeenEntry && hasSeenAll),
      let removal = try? SyncRecord(time: collected, value: nil)
    {
      adopt(removal, over: value)
      isCollected = true
      if replaced == nil { forget() }
      return
    }
    isPending = true
    isUnsaved = true
  }

  /// Forgets the record of a removal.
  private mutating func forget() {
    record = nil
    isCollected = false
    isUnsaved = true
  }

  /// Stops the key because the remote store permanently rejects the record.
  mutating func markRejected(reason: String) {
    problem = .rejectedValue(key: key, reason: reason)
  }

  /// Marks the record as uploaded.
  mutating func markUploaded(revision new: Int64) {
    revision = max(revision, new)
    remoteTime = record?.time
    clearPending()
  }

  /// Gives a pending record without a remote one a later time than that of collected removals, since
  /// machines may know the removal of its key.
  mutating func restamp(after collected: HybridTime?, by origin: String) {
    guard isUploadable, revision == 0, let record, let collected, record.time <= collected,
      let new = try? SyncRecord(
        time: .next(after: collected, at: record.date, by: origin), value: record.value)
    else { return }
    self.record = new
    isUnsaved = true
  }

  /// Gives a pending record that lies in the future the present time, so that it wins over what
  /// others have set before and not over what they will set.
  ///
  /// - Parameters:
  ///   - now: The time by the clock of the remote store.
  ///   - tolerance: How far ahead of that a record may lie, in seconds.
  ///   - origin: The origin of the change.
  mutating func restamp(at now: Date, tolerance: TimeInterval, by origin: String) {
    guard isUploadable, let record, record.date > now + tolerance else { return }
    // It stays later than the record that it replaces.
    let time = HybridTime.next(after: remoteTime, at: now, by: origin)
    guard time < record.time, let new = try? SyncRecord(time: time, value: record.value) else {
      return
    }
    self.record = new
    isUnsaved = true
  }
}
