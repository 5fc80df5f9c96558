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
  /// The values that readers see. They are complete once the file has been loaded.
  let values = DomainValues()
  let state = Guarded(State())
  let lane = Lane()
  let engine: PreferencesEngine
  let stage: Atomic<Stage>
  /// Whether the watcher reports changes of the file, unless it is turned off, or is about to.
  let isWatched: Atomic<Bool>
  /// Whether values were asked for since the watcher last reported a change.
  let isUsed = Atomic(false)
  /// Whether the file had no folder when this domain was created.
  private let wasFolderMissing: Bool
  /// Whether the system failed to read the file, which is then looked at again.
  let isUnreadable = Atomic(false)

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
  ///   - isFolderMissing: Whether the file was found to have no folder.
  init(
    path: String?, isManaged: Bool = false, isFolderMissing: Bool = false, engine: PreferencesEngine
  ) {
    self.path = path
    self.isManaged = isManaged
    self.engine = engine
    wasFolderMissing = isFolderMissing
    isWatched = Atomic(path == nil)
    stage = Atomic(path == nil ? .loaded : .unopened)
    if path == nil {
      StateLock.change { $0[state].isKnown = true }
    } else {
      engine.fileCount.wrappingAdd(1, ordering: .relaxed)
    }
  }

  deinit {
    if path != nil { engine.fileCount.wrappingSubtract(1, ordering: .relaxed) }
  }

  /// Whether a look at the folder, which may serve several files, may save reading the file.
  var needsFolderLook: Bool {
    wasFolderMissing && stage.load(ordering: .relaxed) == .unopened
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
  /// - Returns: Whether the value has changed, or may have.
  @discardableResult
  func set(_ value: PlistValue?, forKey key: String) -> Bool {
    loadOnce()
    // The old value is released when the lock is not held.
    let (old, new, isOutdated) = change {
      (change, delivery) -> (PlistValue?, PlistValue?, Bool) in
      let new = storedForm(of: value, in: change)
      let old = values.set(new, forKey: key, in: change, &delivery)
      return (old, new, change[state].isOutdated)
    }
    return isOutdated || old != new
  }

  /// Sets and removes several values at one moment, and schedules one commit of them all.
  ///
  /// - Returns: Whether a value has changed, or may have.
  func set(_ new: [ObservedValue]) -> Bool {
    loadOnce()
    // The old values are released when the lock is not held.
    let (old, stored, isOutdated) = change {
      (change, delivery) -> ([PlistValue?], [PlistValue?], Bool) in
      let stored = new.map { ($0.key, storedForm(of: $0.value, in: change)) }
      let old = values.set(stored, in: change, &delivery)
      return (old, stored.map(\.1), change[state].isOutdated)
    }
    return isOutdated || old != stored
  }

  /// Sets or removes a value if the key still has an expected one, and schedules a commit.
  ///
  /// A key is not known to have no value as long as the file cannot be read.
  ///
  /// - Returns: Whether the key had the expected value.
  func replace(
    _ expected: PlistValue?, with new: PlistValue?, forKey key: String
  ) -> Bool {
    load()
    return change { (change, delivery) -> Bool in
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
    load()
    return change { (change, delivery) -> Bool in
      let new = change[state].storesWholeSeconds ? new.roundedToWholeSeconds ?? new : new
      return values.replaceAll(with: new, in: change, &delivery)
    }
  }

  /// Changes values, schedules a commit and notifies observers. The file must have been loaded.
  private func change<Result>(
    _ body: (borrowing StateChange, inout Delivery) -> Result
  ) -> Result {
    var delivery = Delivery()
    // Mostly one is scheduled.
    let early = StateLock.change { change in
      change[state].schedule.coversNextChange && engine.isRunning(in: change)
        ? body(change, &delivery) : nil
    }
    let result = early ?? changeAndSchedule(body, &delivery)
    delivery.deliver()
    return result
  }

  /// Changes values and schedules a commit.
  ///
  /// That may start a thread, for which the calling thread enters the ``ForkGate``. It has to be
  /// within the gate before it takes the state lock: a fork that had closed the gate would wait for
  /// that lock, and the thread for the fork.
  private func changeAndSchedule<Result>(
    _ body: (borrowing StateChange, inout Delivery) -> Result, _ delivery: inout Delivery
  ) -> Result {
    let (result, end) = ForkGate.shared.delayingForks {
      StateLock.change { change in
        let result = body(change, &delivery)
        if values.hasChanges(in: change) { scheduleSaving(in: change) }
        return (result, engine.end(in: change))
      }
    }
    if let end { saveAfterEnd(until: end, &delivery) }
    return result
  }

  /// The value as the domain stores it: with its dates in whole seconds if the file is held to XML.
  func storedForm(of value: PlistValue) -> PlistValue {
    StateLock.change { $0[state].storesWholeSeconds } ? value.withWholeSeconds : value
  }

  private func storedForm(of value: PlistValue?, in change: borrowing StateChange) -> PlistValue? {
    change[state].storesWholeSeconds ? value?.withWholeSeconds : value
  }

  /// The format of the file; nil if there is none, or it has not been read.
  var format: PlistFormat? { StateLock.change { $0[state].format } }

  // MARK: Changes

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
    StateLock.change { change in
      let isUnsaved = values.hasChanges(in: change) || values.hasInherited(in: change)
      return (isUnsaved, change[state].version)
    }
  }

  /// Calls a closure in a turn at the file, for which this thread waits no longer than until a deadline.
  ///
  /// - Returns: Nil if there was no turn in time, or this thread has it already.
  func withTurn<Result, Failure: Error>(
    until deadline: ContinuousClock.Instant,
    _ body: (borrowing Turn) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    engine.watching.restartIfNeeded()
    return try lane.withTurn(until: deadline, body)
  }

  /// Leaves work to the next turn in the background, or does it now if the file is free.
  func request(_ work: Lane.Work) {
    lane.request(work, on: engine.savers) { [self] work in
      var delivery = Delivery()
      if work.contains(.watch) { watchNow(waiting: .zero, &delivery) }
      if work.contains(.read) { readChangedFile(&delivery) }
      if work.contains(.save) { saveInBackground(&delivery) }
      delivery.deliverAsynchronously(by: engine)
    }
  }
}
