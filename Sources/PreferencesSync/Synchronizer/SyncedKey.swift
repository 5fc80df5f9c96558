internal import FoundationEssentials
internal import Preferences
internal import PropertyList

/// The state of a synchronized key, with all decisions and no input or output.
///
/// The store's own file, compared with the last known record, determines what has happened to a
/// key:
///
/// | the file has | it means |
/// |---|---|
/// | a value or a removal with a later time | a change at that time |
/// | a value or a removal with the same time | no change |
/// | a value or a removal with an earlier time | an older copy of the file: the record's value is written to it |
/// | a value whose hash does not match its stamp | a change by a program without stamps, when the file was saved |
/// | no value, but the stamp of a value | a removal by such a program |
/// | a value without a stamp | the same value, or a change that did not know the record |
/// | no value and no stamp | no change: the record's value is written to the file |
struct SyncedKey: Sendable {
  let key: String
  /// The number of the call that added the key; a key that is removed and added again gets another
  /// one.
  let generation: Int

  /// The last known record of this machine; nil if the key never had a value.
  private(set) var record: SyncRecord?
  private var phase = Phase.settled
  /// A value that the record's value was about to replace when an earlier version, which had no
  /// stamps, saved the state file; the date has no meaning.
  private(set) var replaced: SyncRecord?
  /// The last known value of the store's own domain.
  private var own: OwnValue?
  /// The pending write to the store's own domain.
  private(set) var localWrite: StampUpdate.Write?
  /// The last known revision of the remote entry; 0 if there is none.
  private(set) var revision: Int64 = 0
  /// The time of the remote record; nil if there is none or it is unknown.
  private var remoteTime: HybridTime?
  /// The revision of the entry that an upload without an answer was to replace. It may still do so as long
  /// as the entry has this revision.
  private var unansweredRevision: Int64?
  /// The error that has stopped the synchronization of the key.
  private(set) var problem: SynchronizationError?
  /// Whether the entry of the state file is out of date.
  private(set) var isUnsaved = false
  /// The time of the record in the state file; nil if there is none.
  private var savedTime: HybridTime?

  /// What must be done with the record.
  private enum Phase {
    case settled
    /// It must be uploaded.
    case pending
    /// Any remote value replaces it, because its age is unknown.
    case undated
    /// Undated, but uploaded because there is no remote value.
    case unopposed
    /// A collected removal. It is discarded once the store's own domain has neither a value nor a
    /// stamp.
    case collected
  }

  /// What the store's own file contains for a key.
  struct OwnValue: Sendable {
    var value: PlistValue?
    var stamped: StampedValue
    /// When a program without stamps has set the value, if it has.
    var date: Date
    /// Whether the value is missing together with so many others that it is restored.
    var isLost = false
  }

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
      phase = entry.isUndated ? .undated : entry.isPending ? .pending : .settled
      replaced = entry.replaced
      savedTime = entry.record.time
    } catch {
      problem = .corruptState(key: key)
    }
  }

  /// The entry for the state file; nil for none.
  var entry: StateFileEntry? {
    guard let record, !isForgetting else { return nil }
    return StateFileEntry(
      record: record, isPending: isPending, isUndated: isUndated, replaced: replaced)
  }

  /// Whether the record is a pending upload.
  var isPending: Bool { phase == .pending || isUndated }

  private var isUndated: Bool { phase == .undated || phase == .unopposed }

  /// Whether only a collected removal is left of the key.
  private var isForgetting: Bool { phase == .collected && own?.stamped.hash == 0 }

  /// Whether the state file has a later time than the store's own file will have. If the state file
  /// kept this time, a later change in the store would look like an older copy.
  var isReceding: Bool {
    guard let savedTime, let record else { return false }
    return isForgetting || (isPending && record.time < savedTime)
  }

  /// Whether the record is pending and nothing prevents its upload.
  var isUploadable: Bool { isPending && problem == nil }

  /// Whether its date is after another one, and it may get an earlier time. A late upload with the old
  /// time would win over changes after the new one.
  func isRestampable(after date: Date) -> Bool {
    guard isUploadable, unansweredRevision != revision, let record else { return false }
    return record.date > date
  }

  /// Identifies the record among all uploads; nil if none is pending.
  var fingerprint: String? {
    guard isPending, let record else { return nil }
    return ValueHash.of([.string(key), .data(record.data)]).hexadecimal
  }

  /// Whether the pending record was stored together with a mark.
  func isUpload(in mark: MachineMark?) -> Bool {
    fingerprint.map { mark?.uploads?.contains($0) ?? false } ?? false
  }

  // MARK: Problems

  private enum Obstacle { case corrupt, unencodable, unstorable, untracked, rejected, other }

  private var obstacle: Obstacle? {
    switch problem {
    case nil: nil
    case .corruptState: .corrupt
    case .unencodableValue: .unencodable
    case .unstorableValue: .unstorable
    case .tooManyKeys: .untracked
    case .rejectedValue: .rejected
    default: .other
    }
  }

  // MARK: Local changes

  /// Merges the value of the store's own domain.
  ///
  /// - Parameters:
  ///   - origin: The origin of a change by a program without stamps.
  ///   - isInitial: Whether a value without a stamp was set before the key had a record.
  mutating func mergeLocal(_ new: OwnValue, by origin: String, isInitial: Bool = false) {
    let isSame = own?.stamped == new.stamped
    own = new
    if obstacle == .corrupt { return }
    if obstacle == .unencodable { problem = nil }
    defer { updateLocalWrite() }
    // The removal of a found value does not replace a later value, whatever the times say.
    if phase == .collected && isSame { return }
    guard var time = timeOfChange(new, by: origin) else { return }
    if obstacle == .unstorable, !isSame, let record {
      // It replaces the value that the store cannot store.
      time = max(time, .next(after: record.time, at: time.date, by: time.origin))
    }
    do throws(SyncRecordError) {
      let change = try SyncRecord(time: time, value: isRecorded(new) ? record?.value : new.value)
      if let record, !isUndated, phase != .collected, !change.supersedes(record) { return }
      phase = isInitial && record == nil && new.stamped.stamp == nil ? .undated : .pending
      record = change
      if obstacle == .rejected || obstacle == .unstorable { problem = nil }
      replaced = nil
      isUnsaved = true
    } catch {
      problem = .unencodableValue(key: key, error)
    }
  }

  /// The time of a change of the store's own domain; nil if there is none.
  private func timeOfChange(_ new: OwnValue, by origin: String) -> HybridTime? {
    let stamp = new.stamped.stamp
    if let time = new.stamped.time {
      return time == record?.time && isRecorded(new) ? nil : time
    }
    if record != nil, isRecorded(new) { return nil }
    guard let stamp else {
      let isReplaced = replaced.map { $0.value == new.value } ?? false
      return new.value == nil || isReplaced ? nil : HybridTime(date: new.date, origin: origin)
    }
    if new.value == nil {
      // In an older copy of the file, it is unknown which values were removed.
      let isOlder = record.map { stamp.time < $0.time } ?? false
      if isOlder || new.isLost { return nil }
    }
    return .next(after: stamp.time, at: new.date, by: origin)
  }

  /// Whether a value of the store's own domain is the record's, perhaps with dates that the format of
  /// the file has rounded.
  private func isRecorded(_ own: OwnValue) -> Bool {
    guard let record else { return own.value == nil }
    if own.value == record.value { return true }
    guard let stamp = own.stamped.stamp else { return own.value == record.value?.withWholeSeconds }
    return stamp.time == record.time && own.value == record.value?.withWholeSeconds
  }

  /// Compares the store's own domain with the record.
  private mutating func updateLocalWrite() {
    localWrite = nil
    if let obstacle, obstacle != .rejected, obstacle != .other { return }
    guard let own, let record else { return }
    // The stamp comes before the upload, so that all later changes have a later time than the
    // uploaded record.
    if phase == .undated { return }
    let isRecorded = isRecorded(own)
    if phase == .collected {
      if isForgetting, own.stamped.stamp == nil { return forget() }
      // The removal of a value is stamped until the state file has forgotten the value.
      let time = isForgetting ? nil : record.time
      localWrite = StampUpdate.Write(nil, at: time, forKey: key, over: own.stamped)
    } else if own.stamped.time == record.time, isRecorded {
      isUnsaved = isUnsaved || replaced != nil
      replaced = nil
    } else {
      // A date that was rounded when the file was converted stays.
      let value = own.stamped.stamp?.time == record.time && isRecorded ? own.value : record.value
      localWrite = StampUpdate.Write(value, at: record.time, forKey: key, over: own.stamped)
    }
  }

  /// Marks the value as set after the key was added.
  mutating func markDated() {
    guard isUndated else { return }
    phase = .pending
    isUnsaved = true
    updateLocalWrite()
  }

  /// Stops the key because the store's own domain cannot store the record's value.
  mutating func markUnstorable(_ reason: PreferencesError) {
    problem = .unstorableValue(key: key, reason)
    updateLocalWrite()
  }

  /// Stops the key because the store's file has stamps for too many keys.
  mutating func markUntracked() {
    problem = .tooManyKeys(key: key)
    updateLocalWrite()
  }

  /// Marks the state as not saved, because the state file may have been lost.
  mutating func markUnsaved() { isUnsaved = isUnsaved || obstacle != .corrupt }

  /// Marks the state as saved to the state file.
  mutating func markSaved() {
    isUnsaved = false
    savedTime = entry?.record.time
  }

  // MARK: Remote changes

  /// Merges an entry of the remote store.
  mutating func mergeRemote(_ entry: RemoteEntry) {
    if obstacle == .corrupt || obstacle == .untracked || obstacle == .unencodable { return }
    guard entry.revision > revision else { return }
    defer { updateLocalWrite() }
    revision = entry.revision
    let remote: SyncRecord
    do throws(SyncRecordError) {
      remote = try SyncRecord(entry.data)
    } catch {
      problem = .unreadableRecord(key: key, error)
      return
    }
    remoteTime = remote.time
    // An earlier entry may have caused the problem.
    if obstacle != .unstorable || remote != record { problem = nil }
    guard let record, !isUndated else { return adopt(remote) }
    if remote.time == record.time, remote.value == record.value {
      // Another writer may have encoded the same record differently.
      if remote != record { adopt(remote) }
      settle()
    } else if remote.supersedes(record) {
      adopt(remote)
    } else if !isPending {
      phase = .pending
      isUnsaved = true
    }
  }

  private mutating func adopt(_ remote: SyncRecord, as new: Phase = .settled) {
    record = remote
    isUnsaved = true
    replaced = nil
    settle(as: new)
  }

  private mutating func settle(as new: Phase = .settled) {
    isUnsaved = isUnsaved || isPending
    phase = new
    updateLocalWrite()
  }

  /// Discards the known revision if the remote store is behind it, or has another entry with it, as
  /// after a restore from a backup.
  mutating func discardRevision(unlessOf entry: RemoteEntry) {
    let isOther = entry.revision == revision && (try? SyncRecord(entry.data))?.time != remoteTime
    if entry.revision < revision || isOther { revision = 0 }
  }

  /// Merges the absence of an entry in the remote store.
  ///
  /// - Parameters:
  ///   - collected: The latest time of a removal that was collected; nil if there is none.
  ///   - hasSeenAll: Whether all changes up to the collected removals have been merged in this run.
  ///   - mark: The last mark of this machine, with uploads whose answer was lost.
  mutating func mergeRemoteAbsence(
    collected: HybridTime?, hasSeenAll: Bool, _ mark: MachineMark? = nil
  ) {
    let hasSeenEntry = revision > 0
    revision = 0
    remoteTime = nil
    if phase == .undated { phase = .unopposed }
    updateLocalWrite()
    if case .unreadableRecord? = problem { problem = nil }
    guard let record, phase != .collected, obstacle != .corrupt else { return }
    let isBeforeCollected = collected.map { record.time <= $0 } ?? false
    if isBeforeCollected, record.value == nil {
      return settle(as: .collected)
    }
    if isPending && !isUpload(in: mark) { return }
    // If the removal record of a removed entry was not collected, a program that does not
    // synchronize removed the entry.
    if isBeforeCollected, let collected, !(hasSeenEntry && hasSeenAll),
      let removal = try? SyncRecord(time: collected, value: nil)
    {
      return adopt(removal, as: .collected)
    }
    phase = .pending
    isUnsaved = true
  }

  /// Discards the record of a removal.
  private mutating func forget() {
    record = nil
    phase = .settled
    isUnsaved = true
  }

  /// Stops the key because the remote store permanently rejects the record.
  mutating func markRejected(reason: String) {
    problem = .rejectedValue(key: key, reason: reason)
  }

  /// Marks an upload as unanswered.
  mutating func markUnanswered() { unansweredRevision = revision }

  /// Marks the record as uploaded.
  mutating func markUploaded(revision new: Int64) {
    revision = max(revision, new)
    remoteTime = record?.time
    settle()
  }

  /// If there is no remote record, gives the pending record a later time than all collected
  /// removals, because other machines may know a removal of its key.
  mutating func restamp(after collected: HybridTime?, by origin: String) {
    guard isUploadable, revision == 0, let record, let collected, record.time <= collected else {
      return
    }
    restamp(.next(after: collected, at: record.date, by: origin))
  }

  /// Gives a pending record with a time in the future the present time, so that it wins over
  /// earlier changes by other machines, but not over their later ones.
  ///
  /// - Parameters:
  ///   - now: The present time, which is known to be right.
  ///   - tolerance: How far ahead of that a record may be, in seconds.
  ///   - origin: The origin of the change.
  mutating func restamp(at now: Date, tolerance: TimeInterval, by origin: String) {
    guard isRestampable(after: now + tolerance), let record else { return }
    // Its time stays later than the replaced record's.
    let time = HybridTime.next(after: remoteTime, at: now, by: origin)
    if time < record.time { restamp(time) }
  }

  private mutating func restamp(_ time: HybridTime) {
    guard let record, let new = try? SyncRecord(time: time, value: record.value) else { return }
    self.record = new
    isUnsaved = true
    updateLocalWrite()
  }
}
