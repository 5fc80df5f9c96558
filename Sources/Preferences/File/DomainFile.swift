internal import FileStorage
internal import PropertyList
internal import Synchronization
internal import Threading

/// A domain and the file that stores it, shared by all stores of the process that use it.
///
/// In memory it holds the values that the file had when it was last read, and the changes that have
/// not been committed; readers see both. A commit takes the file's lock, applies only those changes
/// to what other processes have saved meanwhile, and replaces the file.
final class DomainFile: Sendable {
  /// The path of the file; nil for a domain that lives in memory only.
  let path: String?
  /// Whether the file counts only if nobody but root can have written it.
  let isManaged: Bool
  /// What readers see. It is complete once the file has been loaded.
  let values = DomainValues()
  let state = Guarded(State())
  let failureHandlers = FailureHandlers()
  let stage: Atomic<Stage>
  /// Whether the system failed to read the file, which is then looked at again.
  let isUnreadable = Atomic(false)
  let ioLock = IOLock()
  /// Called when the first uncommitted change is made, to schedule a commit.
  private let onDirty: @Sendable (DomainFile) -> Void

  /// The state of the file and of committing to it.
  struct State {
    var format: PlistFormat?
    /// The version of the contents that were read; nil if there was no file.
    var version: FileVersion?
    /// Why the file could not be read; it is not overwritten then.
    var problem: PreferencesError?
    /// The format that the file is held to; nil for any that fits.
    var pinnedFormat: PlistFormat?
    /// Whether dates are rounded down to whole seconds when they are set.
    var storesWholeSeconds: Bool { pinnedFormat == .xml }
    /// Whether the next commit writes the file even if its contents are right: after a failure it
    /// is unknown how much of it has reached the disk.
    var mustRewrite = false
    /// The fork count of the process in which a commit is scheduled; nil if none is.
    var scheduledForks: UInt32?
    /// Whether to check the file again as soon as no thread holds the I/O lock.
    var needsReload = false
    var watch: WatchedFile?
    /// Whether the contents are known: the file was read once, or there was none. Until then no key
    /// is known to have no value.
    var isKnown = false
    var racyLooks = RacyLooks()
    var failedLooks = FailedLooks()

    /// Takes over what is known about the file from its contents.
    mutating func update(with contents: DomainContents) {
      format = contents.format
      version = contents.version
      problem = nil
      isKnown = true
      failedLooks.noteSuccess()
    }
  }

  /// The stages of reading the file.
  enum Stage: UInt8, AtomicRepresentable {
    /// The file has not been looked at.
    case unopened
    /// The file is a large one that has been validated and whose values can be looked up.
    case opened
    /// All values have been decoded.
    case loaded
  }

  /// - Parameters:
  ///   - path: The absolute path of the file; nil for a domain in memory only.
  ///   - isManaged: Whether the file counts only if nobody but root can have written it.
  ///   - onDirty: Called when the first uncommitted change is made, to schedule a commit.
  init(
    path: String?, isManaged: Bool = false, onDirty: @escaping @Sendable (DomainFile) -> Void
  ) {
    self.path = path
    self.isManaged = isManaged
    self.onDirty = onDirty
    stage = Atomic(path == nil ? .loaded : .unopened)
    if path == nil { StateLock.change { $0[state].isKnown = true } }
  }

  // MARK: Values

  /// The value of a key, committed or not.
  func value(forKey key: String) -> PlistValue? {
    load()
    return StateLock.change { values.value(forKey: key, in: $0) }
  }

  /// All values, committed or not.
  var allValues: PlistDictionary {
    load()
    return StateLock.change { values.values(in: $0) }
  }

  /// Why the file cannot be read; nil if it can be, or there is none.
  var problem: PreferencesError? {
    load()
    return StateLock.change { $0[state].problem }
  }

  /// Sets or removes a value and schedules a commit.
  ///
  /// - Returns: Whether the value has changed.
  @discardableResult
  func set(_ value: PlistValue?, forKey key: String) -> Bool {
    let (old, new) = change { (change, delivery) -> (PlistValue?, PlistValue?) in
      let value = storedForm(of: value, in: change)
      return (values.set(value, forKey: key, in: change, &delivery), value)
    }
    return old != new
  }

  /// Sets or removes a value if the key still has an expected one, and schedules a commit.
  ///
  /// A key is not known to have no value as long as the file cannot be read.
  ///
  /// - Returns: Whether the key had the expected value.
  func replace(
    _ expected: PlistValue?, with new: PlistValue?, forKey key: String
  ) -> Bool {
    change { (change, delivery) -> Bool in
      let found = values.value(forKey: key, in: change)
      guard found == expected, found != nil || change[state].isKnown else { return false }
      let new = storedForm(of: new, in: change)
      _ = values.set(new, forKey: key, in: change, &delivery)
      return true
    }
  }

  /// Replaces all values and schedules a commit.
  ///
  /// - Returns: Whether the values have changed.
  @discardableResult
  func replaceAll(with new: PlistDictionary) -> Bool {
    change { (change, delivery) -> Bool in
      let new = change[state].storesWholeSeconds ? new.withWholeSeconds : new
      return values.replaceAll(with: new, in: change, &delivery)
    }
  }

  /// Changes values, schedules a commit and notifies observers.
  private func change<Result>(
    _ body: (borrowing StateChange, inout Delivery) -> Result
  ) -> Result {
    load()
    var delivery = Delivery()
    let (result, needsSchedule) = StateLock.change { change in
      let result = body(change, &delivery)
      let isScheduled = change[state].scheduledForks == Fork.count
      return (result, !isScheduled && values.hasChanges(in: change))
    }
    if needsSchedule { onDirty(self) }
    delivery.deliver()
    return result
  }

  /// The value as the domain stores it: with its dates in whole seconds if the file is held to XML.
  func storedForm(of value: PlistValue) -> PlistValue {
    StateLock.change { $0[state].storesWholeSeconds } ? value.withWholeSeconds : value
  }

  private func storedForm(of value: PlistValue?, in change: borrowing StateChange) -> PlistValue? {
    change[state].storesWholeSeconds ? value?.withWholeSeconds : value
  }

  // MARK: Scheduling

  /// Notes that a commit is scheduled.
  func markScheduled() {
    StateLock.change { $0[state].scheduledForks = Fork.count }
  }

  /// Ends the schedule if all changes have been committed; the next change then schedules another
  /// commit.
  ///
  /// - Returns: Whether that was so.
  func endScheduleIfClean() -> Bool {
    StateLock.change { change in
      if values.hasChanges(in: change) { return false }
      change[state].scheduledForks = nil
      return true
    }
  }

  /// Whether there are changes that have not been committed.
  var hasChanges: Bool { StateLock.change { values.hasChanges(in: $0) } }

  // MARK: The file

  /// Holds the file to a format from now on.
  func pin(_ format: PlistFormat) {
    StateLock.change { $0[state].pinnedFormat = format }
  }

  /// The format that the file is held to; nil for any that fits.
  var pinnedFormat: PlistFormat? { StateLock.change { $0[state].pinnedFormat } }

  /// Whether the file lacks changes, and the version of its contents, which is nil if there is no
  /// file. It must have been loaded.
  var fileStatus: (hasChanges: Bool, version: FileVersion?) {
    StateLock.change { (values.hasChanges(in: $0), $0[state].version) }
  }

  /// Calls a closure while no other thread reads or commits the file.
  func withIOLock<Result, Failure: Error>(
    _ body: (borrowing IOAccess) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { reloadIfNeeded() }
    return try ioLock.withLock(body)
  }

  /// Calls a closure while no other thread reads or commits the file, waiting no longer than a time
  /// for others.
  ///
  /// - Returns: Nil if another thread held the lock for longer.
  func withIOLock<Result, Failure: Error>(
    waiting timeout: Duration, _ body: (borrowing IOAccess) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    defer { reloadIfNeeded() }
    return try ioLock.withLock(waiting: timeout, body)
  }

  /// Schedules another check of the file if the watcher reported a change while the I/O lock was
  /// held.
  private func reloadIfNeeded() {
    let watch = StateLock.change { $0[state].needsReload ? $0[state].watch : nil }
    watch?.scheduleCall(after: .zero)
  }
}
