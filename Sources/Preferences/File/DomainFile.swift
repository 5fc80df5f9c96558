internal import FileStorage
internal import PropertyList
internal import Synchronization
internal import Threading

/// A domain and the file that stores it, shared by all stores that use it.
///
/// In memory it holds the values of the last read and the uncommitted changes; readers see both. A
/// commit locks the file, applies only those changes to what other processes have saved since, and
/// replaces the file.
final class DomainFile: Sendable {
  /// Where a domain is stored.
  enum Place {
    case memory
    case file(String)
    /// A file that is ignored if users other than root may have written it.
    case managedFile(String)
  }

  private let place: Place
  /// The state that readers see, complete once the file has been loaded.
  let values = DomainValues()
  let state: Guarded<DomainState>
  let lane = Lane()
  let runtime: Runtime
  /// The phase of the state, and ``used``.
  private let published: Atomic<UInt8>
  /// Set when values are read, cleared when the watcher reports a change.
  private static let used: UInt8 = 128

  /// - Parameters:
  ///   - place: Its path is absolute.
  ///   - contents: The known facts about the file before it is read.
  init(_ place: Place, _ contents: DomainState.Contents = .unopened, runtime: Runtime) {
    self.place = place
    self.runtime = runtime
    let initial = if case .memory = place { DomainState(.memory) } else { DomainState(contents) }
    published = Atomic(initial.phase.rawValue)
    state = Guarded(initial)
    if path != nil { runtime.fileCount.wrappingAdd(1, ordering: .relaxed) }
  }

  deinit {
    if path != nil { runtime.fileCount.wrappingSubtract(1, ordering: .relaxed) }
  }

  /// Nil for a domain in memory.
  var path: String? {
    switch place {
    case .memory: nil
    case .file(let path), .managedFile(let path): path
    }
  }

  var isManaged: Bool { if case .managedFile = place { true } else { false } }

  /// Whether checking the folder, once for several files, may make reading the file unnecessary.
  var needsFolderCheck: Bool { !isOpen && StateLock.change { $0[state].hadNoFolder } }

  // MARK: State

  /// The last published phase. The values to which it refers are visible.
  var phase: DomainState.Phase {
    DomainState.Phase(rawValue: published.load(ordering: .acquiring) & ~Self.used)
  }

  var isOpen: Bool { phase.contains(.isOpen) }

  var isWatched: Bool { phase.contains(.isWatched) }

  /// Publishes the phase to readers if it has changed.
  func publishPhase(in change: borrowing StateChange) {
    let (old, new) = (phase.rawValue, change[state].phase.rawValue)
    if old == new { return }
    // Readers may set their bit at any time.
    published.bitwiseAnd(~(old & ~new), ordering: .releasing)
    published.bitwiseOr(new & ~old, ordering: .releasing)
  }

  /// Changes the state and its phase.
  func changeState<Result>(_ body: (inout DomainState) -> Result) -> Result {
    StateLock.change { change in
      defer { publishPhase(in: change) }
      return body(&change[state])
    }
  }

  /// Returns whether something that is reported once has not been reported yet.
  func isFirstReport(of event: DomainState.Reports) -> Bool {
    StateLock.change { $0[state].isFirstReport(of: event) }
  }

  /// Records that values are read.
  func noteUse() {
    // The bit is usually already set, and then not written again.
    if published.load(ordering: .relaxed) & Self.used == 0 {
      published.bitwiseOr(Self.used, ordering: .relaxed)
    }
  }

  /// Returns whether values were read since the last call.
  func takeUse() -> Bool {
    published.bitwiseAnd(~Self.used, ordering: .relaxed).oldValue & Self.used != 0
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

  /// All values, and the identity that ``set(_:in:)`` needs.
  var capturedValues: (values: PlistDictionary, identity: CapturedValues) {
    load()
    return StateLock.change { (values.values(in: $0), values.capture(in: $0)) }
  }

  /// Why an existing file cannot be read.
  var problem: PreferencesError? {
    load()
    return StateLock.change { $0[state].problem }
  }

  /// Sets or removes a value and schedules a commit.
  ///
  /// - Returns: Whether the value has changed or may have changed.
  @discardableResult
  func set(_ value: PlistValue?, forKey key: String) -> Bool {
    open()
    // The old value is released without the lock.
    let (old, new, isOutdated) = change {
      (change, delivery) -> (PlistValue?, PlistValue?, Bool) in
      let new = storedForm(of: value, in: change)
      let old = values.set(new, forKey: key, in: change, &delivery)
      return (old, new, change[state].isOutdated)
    }
    return isOutdated || old != new
  }

  /// Sets and removes several values at one moment and schedules one commit.
  ///
  /// - Parameter expected: The values to change; nil for any.
  /// - Returns: Whether a value has changed or may have changed; nil if the domain does not have
  ///   the expected values, and nothing was set.
  func set(_ new: [ObservedValue], in expected: CapturedValues? = nil) -> Bool? {
    open()
    // The old values are released without the lock.
    let result = change { (change, delivery) -> ([PlistValue?], [PlistValue?], Bool)? in
      if let expected, !values.isCurrent(expected, in: change) { return nil }
      let stored = new.map { ($0.key, storedForm(of: $0.value, in: change)) }
      let old = values.set(stored, in: change, &delivery)
      return (old, stored.map(\.1), change[state].isOutdated)
    }
    return result.map { old, stored, isOutdated in isOutdated || old != stored }
  }

  /// Replaces all values and schedules a commit. Returns whether the values have changed.
  @discardableResult
  func replaceAll(with new: PlistDictionary) -> Bool {
    load()
    return change { (change, delivery) -> Bool in
      let new = change[state].storesWholeSeconds ? new.roundedToWholeSeconds ?? new : new
      return values.replaceAll(with: new, in: change, &delivery)
    }
  }

  /// Changes values, schedules a commit and notifies observers. The file must be loaded.
  private func change<Result>(
    _ body: (borrowing StateChange, inout Delivery) -> Result
  ) -> Result {
    var delivery = Delivery()
    // Usually a commit is already scheduled.
    let early = StateLock.change { change in
      change[state].saving.coversNextChange && runtime.isRunning(in: change)
        ? body(change, &delivery) : nil
    }
    let result = early ?? changeAndSchedule(body, &delivery)
    delivery.deliver()
    return result
  }

  /// Changes values and schedules a commit.
  ///
  /// That may start a thread, which needs the ``ForkGate``. The gate must be entered before the
  /// state lock is taken: otherwise a fork that has closed the gate would wait for the lock, and
  /// this thread would wait for the fork.
  private func changeAndSchedule<Result>(
    _ body: (borrowing StateChange, inout Delivery) -> Result, _ delivery: inout Delivery
  ) -> Result {
    let (result, end) = ForkGate.shared.delayingForks {
      StateLock.change { change in
        let result = body(change, &delivery)
        if values.hasChanges(in: change) { scheduleSaving(in: change) }
        return (result, change[runtime.state].end)
      }
    }
    if let end { saveAfterEnd(until: end, &delivery) }
    return result
  }

  /// The value as the domain stores it: with dates in whole seconds if the file is pinned to XML.
  private func storedForm(of value: PlistValue?, in change: borrowing StateChange) -> PlistValue? {
    change[state].storesWholeSeconds ? value?.withWholeSeconds : value
  }

  var hasChanges: Bool { StateLock.change { values.hasChanges(in: $0) } }

  // MARK: The file

  /// The format of the file; nil if the file is missing or unread.
  var format: PlistFormat? { StateLock.change { $0[state].lastFile?.format } }

  /// Keeps the file in a format.
  func pin(_ format: PlistFormat) { StateLock.change { $0[state].pinnedFormat = format } }

  var pinnedFormat: PlistFormat? { StateLock.change { $0[state].pinnedFormat } }

  /// Waits for a turn at the file and calls a closure in it.
  ///
  /// - Returns: Nil if there was no turn in time or this thread already has it.
  func withTurn<Result, Failure: Error>(
    until deadline: ContinuousClock.Instant,
    _ body: (borrowing Turn) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    runtime.watching.restartIfNeeded()
    return try lane.withTurn(until: deadline, body)
  }

  /// Does work now if the file is free, otherwise in the next background turn.
  func request(_ work: Lane.Work) {
    lane.request(work, on: runtime.savers) { [self] work in
      var delivery = Delivery()
      if work.contains(.watch) { watchNow(waiting: .zero, &delivery) }
      if work.contains(.read) { readChangedFile(&delivery) }
      if work.contains(.save) { saveInBackground(&delivery) }
      delivery.deliverAsynchronously(by: runtime.deliveries)
    }
  }
}
