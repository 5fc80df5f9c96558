import Foundation
import PropertyList
import Synchronization
import Threading

@testable import FileStorage
@testable import Preferences

/// A thread that runs the jobs of one process, and stops before each step.
final class Worker: @unchecked Sendable {
  private let go = AutoResetEvent()
  private let back = AutoResetEvent()
  private var job: (() -> Void)?
  private var isEnding = false
  private(set) var isBusy = false

  init() {
    let thread = Thread { [self] in
      while true {
        go.wait(for: .seconds(1 << 30))
        if isEnding { return }
        job?()
        job = nil
        isBusy = false
        back.signal()
      }
    }
    thread.stackSize = 2 << 20
    thread.start()
  }

  func end() {
    isEnding = true
    go.signal()
  }

  /// Begins a job, and returns when it has stopped or ended.
  func start(_ job: @escaping () -> Void) {
    self.job = job
    isBusy = true
    resume()
  }

  /// Lets the job continue to its next stop.
  func resume() {
    go.signal()
    back.wait(for: .seconds(1 << 30))
  }

  /// Stops the job. Called by its thread. Like a wait for the disk, it keeps no other test from forking.
  func stop() {
    ForkGate.shared.allowingForks {
      back.signal()
      go.wait(for: .seconds(1 << 30))
    }
  }
}

/// A process with a store of the simulated file, and the invariants that it must keep.
///
/// It has one thread for all that may touch the disk. Values are also set by the simulation while
/// that thread has stopped, as another thread of the process would.
final class SimulatedProcess: @unchecked Sendable {
  let number: Int
  let machine: Machine
  private let worker: Worker
  private(set) var engine: PreferencesEngine!
  private(set) var store: PreferencesStore!
  private var observations: [PreferencesObservation] = []
  weak var watch: SimulatedWatch?
  var heldLock: Machine.Inode?
  private(set) var isDead = false

  /// The step that the process has stopped before, and when it may be taken.
  private(set) var stop: (step: Step, isReady: () -> Bool)?
  /// The error of the next step.
  private var fault: Int32?
  /// What the process knows of the clock that dates files.
  private(set) var clock = FileClock()
  var violation: Violation?

  /// All values that the process has set, by key; nil for removals.
  private var log: [String: [Int?]] = [:]
  /// How many of these are in the file, or were replaced by later ones.
  private var committed: [String: Int] = [:]
  /// Values of updates that have failed, perhaps after the file was replaced.
  private var uncertain: Set<Int?> = []
  /// What the file held when the process compared it; nil if it has not or that was garbage.
  var base: Machine.Content = nil
  /// The position in the machine's history of what the process has read or put in place last.
  private var position = 0
  /// Whether a failure to save was reported, and no recovery since.
  private var isFailing = false
  private var reportedProblem: PreferencesEvent?
  private var hasSetDuringJob = false
  /// Whether the process reads the file when it next uses a value, and not by itself.
  private(set) var isLeftToReads = true
  /// The lengths of the log when the job began.
  private var countsBefore: [String: Int] = [:]
  private var observed: [String: PlistValue?] = [:]
  let hasCheck: Bool
  let hasCopy: Bool
  /// Whether the process polls the file.
  let polls: Bool
  let pollingInterval: Duration
  private var hasReportedPolling = false
  /// Whether a wait for the lock was reported, and nothing was saved since.
  private var hasReportedWait = false
  /// Whether the job has saved something.
  var hasSaved = false
  /// Whether writing the copy may have failed; it is tried again with other contents.
  var mayLackCopy = false
  /// Whether the process has stopped while it writes its copy, perhaps before an update begins.
  var isCopying = false
  /// When the process first found that the file, which had existed, was missing; nil if it has not.
  private var firstMissed: Duration?
  /// What the process found when it last read the file; nil if that is not what it publishes.
  private var lastFound: Machine.Content = nil
  private var isForked = false
  /// Whether a step of the job has failed.
  private var hasFailed = false

  static let keys = ["a", "b", "c", "d"]
  /// A key whose negative values a check refuses.
  static let checkedKey = "d"

  init(
    _ number: Int, _ machine: Machine, _ worker: Worker, hasCheck: Bool, hasCopy: Bool,
    polls: Bool, delay: Duration
  ) {
    self.number = number
    self.machine = machine
    self.worker = worker
    self.hasCheck = hasCheck
    self.hasCopy = hasCopy
    self.polls = polls
    pollingInterval = RuntimeConfiguration().pollingInterval
    engine = PreferencesEngine(.manual, disk: SimulatedDisk(process: self))
    engine.configuration.commitDelay = delay
    engine.configuration.printsFailures = false
    advanceClock()
    var options = PreferencesStore.Options(engine: engine)
    options.arguments = []
    options.usesPrivateRegistrationDomain = true
    if hasCopy { options.lastGoodFolder = "/copies" }
    if hasCheck {
      options.check = { values in
        if case .integer(let value)? = values[Self.checkedKey], value < 0 { throw Refusal() }
      }
    }
    store = PreferencesStore(fileAt: Machine.path, options: options)
  }

  private struct Refusal: Error {}

  var isBusy: Bool { worker.isBusy }
  var mayContinue: Bool { stop.map { $0.isReady() } ?? false }
  private var file: DomainFile { store.user }

  func advanceClock() { engine.runtime.clock.set(Moment(machine.instant)) }

  // MARK: Steps

  /// Waits for the simulation before a step, which may then fail. Called by the process's thread.
  func take(
    _ step: Step, when isReady: @escaping () -> Bool = { true }
  ) throws(PreferencesError) {
    if !isDead {
      stop = (step, isReady)
      worker.stop()
      stop = nil
      clock.note(machine.wall, monotonic: Int64(machine.now / .nanoseconds(1)))
    }
    let code = isDead ? EINTR : exchange(&fault, with: nil)
    if let code {
      hasFailed = true
      throw .storage(path: Machine.path, step.failure(code))
    }
  }

  /// Takes the lock in one step, or in more if it must wait.
  func lock(
    _ step: Step, within limit: TimeLimit, onLongWait: (String) -> Void
  ) throws(PreferencesError) -> (Machine.Inode, isNew: Bool) {
    let machine = machine
    let patience = machine.instant + .seconds(1)
    try take(step) { machine.isLockFree || machine.instant >= min(patience, limit.deadline) }
    guard machine.hasFolder else {
      throw .storage(path: Machine.path, SystemError(.open, code: ENOENT))
    }
    if !machine.isLockFree, machine.instant < limit.deadline {
      onLongWait("lock")
      try take(step) { machine.isLockFree || machine.instant >= limit.deadline }
    }
    guard machine.isLockFree else {
      throw .lockTimeout(path: Machine.path, waited: limit.duration, lockFile: "lock")
    }
    let isNew = !machine.hasLockFile
    let lock = machine.lock(number)
    heldLock = lock
    return (lock, isNew)
  }

  /// Lets the process take the step that it has stopped before.
  ///
  /// - Parameter fault: The error of the step.
  func resume(fault: Int32? = nil) {
    self.fault = fault
    advanceClock()
    worker.resume()
    check()
  }

  /// Does something on the process's thread, which stops before the first step.
  func start(_ job: @escaping () -> Void) {
    (hasSetDuringJob, hasFailed, hasSaved) = (false, false, false)
    countsBefore = log.mapValues(\.count)
    advanceClock()
    worker.start { [self] in
      job()
      engine.runtime.deliveries.deliverHere()
      if !isDead { jobDidEnd() }
    }
    check()
  }

  /// Ends the process wherever it is. Its thread runs to the end of the job without touching the disk.
  func kill() {
    isDead = true
    if let lock = heldLock { machine.unlock(lock) }
    heldLock = nil
    if machine.folderHolder == number { machine.folderHolder = nil }
    while worker.isBusy { worker.resume() }
    for observation in observations { observation.cancel() }
    (store, engine, observations) = (nil, nil, [])
  }

  // MARK: What it does

  /// Whether values can be set without touching the disk.
  var maySet: Bool {
    file.isOpen && !file.phase.contains(.needsReread) && !isCopying
  }

  var isWatched: Bool { file.isWatched }

  func set(_ value: Int?, forKey key: String) {
    log[key, default: []].append(value)
    hasSetDuringJob = true
    advanceClock()
    if isBusy {
      put(value, forKey: key)
      check()
    } else {
      start { [self] in put(value, forKey: key) }
    }
  }

  private func put(_ value: Int?, forKey key: String) {
    store.put(value.map { .integer(Int64($0)) }, forKey: key)
  }

  func removeAll() {
    for key in Self.keys { log[key, default: []].append(nil) }
    start { [self] in store.removeAll() }
  }

  func flush() {
    start { [self] in
      do throws(PreferencesError) { try store.flush() } catch { return }
      for (key, count) in countsBefore where committed[key, default: 0] < count {
        fail("a flush that succeeds has saved everything", "\(key)=\(text(log[key]![count - 1]))")
      }
      machine.acknowledge(position)
    }
  }

  func update(_ key: String, _ value: Int) {
    let place = log[key, default: []].count
    log[key, default: []].append(value)
    start { [self] in
      do throws(PreferencesError) {
        try store.update { values in values[key] = .integer(Int64(value)) }
        machine.acknowledge(position)
      } catch {
        // It is unknown what is in the file.
        position = 0
        log[key]!.remove(at: place)
        committed[key] = min(committed[key, default: 0], place)
        uncertain.insert(value)
      }
    }
  }

  func read() {
    let isFirst = !file.isOpen && !isForked
    let position = machine.position
    start { [self] in
      _ = store.plistValue(forKey: Self.keys[0])
      if isFirst, position == machine.position, !hasFailed { checkFirstValues() }
    }
  }

  /// Checks what the process reads when it is the first time.
  private func checkFirstValues() {
    let present = Self.good(machine.content, hasCheck)
    let copied = hasCopy ? machine.copies[number].flatMap { Machine.content(of: $0.data) } : nil
    let expected = present ?? copied ?? [:]
    for key in Self.keys where log[key] == nil {
      let value = StateLock.change { file.values.value(forKey: key, in: $0) }
      if value != expected[key].map({ .integer(Int64($0)) }) {
        fail(
          "a process begins with the last good contents",
          "\(key)=\(text(value)) instead of \(text(expected[key]))")
      }
    }
  }

  /// The content if it is good.
  private static func good(_ content: Machine.Content, _ hasCheck: Bool) -> Machine.Content {
    hasCheck && (content?[checkedKey] ?? 0) < 0 ? nil : content
  }

  var copy: ConditionalRead {
    guard let inode = machine.copies[number] else { return .missing }
    return .contents(FileContents(data: inode.data, identity: machine.identity(of: inode)))
  }

  func didCopy(_ data: Data) {
    if Self.good(Machine.content(of: data), hasCheck) == nil {
      fail("only good contents are copied", Machine.text(of: Machine.content(of: data)))
    }
    machine.setCopy(of: number, data)
    mayLackCopy = false
  }

  /// The process has read the file, or found it missing.
  func didFind(isLocked: Bool = false) {
    guard machine.exists else {
      firstMissed = firstMissed ?? machine.now
      return
    }
    firstMissed = nil
    // What is read under the lock is not published yet.
    lastFound = isLocked ? nil : Self.good(machine.content, hasCheck)
  }

  /// Whether another program may be about to write the file again, as far as the process knows.
  private var mayReturn: Bool {
    guard let firstMissed, let since = machine.missingSince else { return false }
    return machine.now - min(since, firstMissed) < .milliseconds(50)
  }

  func recover() {
    start { [self] in
      _ = try? store.recover()
      // It may have moved the file away.
      lastFound = nil
    }
  }

  /// Continues as a forked child. Unsaved changes are the parent's.
  func fork() {
    for (key, values) in log { log[key] = Array(values.prefix(committed[key, default: 0])) }
    (position, base, isFailing, reportedProblem) = (0, nil, false, nil)
    hasReportedWait = false
    (lastFound, firstMissed, isForked) = (nil, nil, true)
    isLeftToReads = true
    start { [self] in
      // As the state lock does in a child.
      StateLock.change { change in change.publish { $0.beginEpoch() } }
      engine.startAnew()
    }
  }

  func observe() {
    isLeftToReads = false
    observations.append(engine.onEvent { [self] event in note(event) })
    start { [self] in
      observations.append(
        store.observe(Self.keys, initial: true) { [self] change in
          guard !isDead else { return }
          if let last = observed[change.key], last != change.oldValue {
            fail(
              "each change that is observed begins where the one before ended",
              "\(change.key): \(text(last)), then \(text(change.oldValue)) to \(text(change.newValue))"
            )
          }
          observed[change.key] = .some(change.newValue)
        })
    }
  }

  func setDelay(_ delay: Duration) { engine.configuration.commitDelay = delay }

  var isAlarmDue: Bool { nextAlarm.map { $0 <= engine.runtime.clock.now } ?? false }

  var nextAlarm: Moment? { StateLock.change { $0[engine.runtime.state].alarms.first() } }

  func ringAlarms() { start { [self] in engine.runtime.ringAlarms() } }

  var hasEvent: Bool { watch?.hasEvent ?? false }

  func deliverEvent() {
    guard let watch, watch.takeEvent() else { return }
    let position = machine.position
    start { [self] in
      watch.handler()
      if position == machine.position { checkRead() }
    }
  }

  /// Checks what the process has read after a watch has reported a change, unless it reads the file
  /// again later.
  private func checkRead() {
    guard !isDead, !hasFailed, !file.hasChanges, file.isWatched, let watch, watch.call == nil,
      let content = Self.good(machine.content, hasCheck)
    else { return }
    for key in Self.keys {
      let value = StateLock.change { file.values.value(forKey: key, in: $0) }
      if value != content[key].map({ .integer(Int64($0)) }) {
        fail(
          "a change that is reported or polled is read",
          "\(key)=\(text(value)) instead of \(text(content[key]))")
      }
    }
  }

  // MARK: What it must keep to

  private func fail(_ invariant: String, _ details: String) {
    violation = violation ?? Violation(invariant, "process \(number): \(details)")
  }

  private func text(_ value: PlistValue??) -> String {
    if case .integer(let number)?? = value { "\(number)" } else { "none" }
  }

  private func text(_ value: Int?) -> String { value.map { "\($0)" } ?? "none" }

  private func note(_ event: PreferencesEvent) {
    if isDead { return }
    switch event {
    case .saveFailure: isFailing = true
    case .saveRecovery:
      if !isFailing { fail("a recovery follows a failure", "\(event)") }
      if file.hasChanges, !hasSetDuringJob {
        fail("no recovery is reported while changes are unsaved", "\(event)")
      }
      isFailing = false
    case .readFailure, .lastGoodContents:
      // The use of a copy that is found later is another event.
      if event == reportedProblem { fail("each problem is reported once", "\(event)") }
      reportedProblem = event
    case .readRecovery:
      if reportedProblem == nil { fail("a recovery follows a failure", "\(event)") }
      reportedProblem = nil
    case .polling:
      if !polls || hasReportedPolling { fail("polling is reported once", "\(event)") }
      hasReportedPolling = true
    case .lockWait:
      if hasReportedWait { fail("a wait for the lock is reported once", "\(event)") }
      hasReportedWait = true
    default: break
    }
  }

  /// What the process has flushed was written by another, which alone knows that it cannot be flushed.
  func cannotKnowOfFailedFlush() { position = 0 }

  /// The process continues under a lock whose file is gone.
  func didKeepOldLock() {
    fail("a second attempt is made under the present lock", "the lock file was removed")
  }

  /// The process has put new contents in place.
  func didReplace() {
    position = machine.position
    hasSaved = true
    guard let new = machine.content else {
      return fail("a process writes whole files", "it has written garbage")
    }
    guard let base = Self.good(self.base, hasCheck) else {
      return fail("a commit replaces only good contents", Machine.text(of: self.base))
    }
    for key in Set(new.keys).union(base.keys) where new[key] != base[key] {
      let place = log[key]?.lastIndex(of: new[key])
      if uncertain.contains(new[key])
        || (place ?? -1) + 1 >= committed[key, default: 0] && place != nil
      {
        continue
      }
      fail(
        "a commit changes only what its process has set",
        "\(key): \(text(base[key])) to \(text(new[key]))")
    }
    noteCommitted(new)
  }

  /// The process has read the file under the lock. What that holds already need not be written.
  func didRead(_ position: Int) {
    self.position = position
    guard let content = machine.history[position] else { return }
    for (key, count) in countsBefore where count > 0 && log[key]![count - 1] == content[key] {
      committed[key] = max(committed[key, default: 0], count)
    }
  }

  private func noteCommitted(_ content: [String: Int]) {
    for (key, values) in log {
      guard let place = values.lastIndex(of: content[key]) else { continue }
      committed[key] = max(committed[key, default: 0], place + 1)
    }
  }

  private func jobDidEnd() {
    if hasSaved { hasReportedWait = false }
    if file.hasChanges { return }
    for (key, values) in log where committed[key, default: 0] < values.count {
      fail("changes stay unsaved until they are in the file", "\(key)=\(text(values.last!))")
    }
    machine.acknowledge(position)
  }

  /// Checks what holds whenever the process has stopped.
  private func check() {
    guard !isDead, violation == nil else { return }
    StateLock.change { change in
      for (key, values) in log where committed[key, default: 0] < values.count && !isBusy {
        let seen = file.values.value(forKey: key, in: change)
        if seen != values.last!.map({ .integer(Int64($0)) }) {
          fail(
            "a process reads what it has set",
            "\(key)=\(text(seen)) instead of \(text(values.last!))")
        }
      }
      for key in (lastFound ?? [:]).keys
      where mayReturn && !isBusy && log[key]?.last != .some(nil)
        && file.values.value(forKey: key, in: change) == nil
      {
        fail("a missing file counts as removed after 50 milliseconds", key)
      }
      if hasCheck,
        case .integer(let value)? = file.values.value(forKey: Self.checkedKey, in: change),
        value < 0
      {
        fail("no value is read that a check refuses", "\(value)")
      }
      if isBusy || !file.values.hasChanges(in: change) { return }
      guard case .waiting(let attempt) = change[file.state].saving,
        let first = change[engine.runtime.state].alarms.first(), first <= attempt.due
      else { return fail("unsaved changes have a time when they are saved", "there is none") }
      let delay = change[engine.runtime.state].configuration.commitDelay
      let rest = attempt.due - engine.runtime.clock.now
      if attempt.failures == 0, rest > delay {
        fail("changes are saved within the commit delay", "\(rest) is left")
      }
    }
  }

  /// Checks what holds at rest, when nothing fails any longer.
  func checkAtRest() {
    if isDead { return }
    let isRefused = hasCheck && (machine.content?[Self.checkedKey] ?? 0) < 0
    if machine.content == nil || isRefused { return }
    if hasCopy, !mayLackCopy, machine.exists,
      machine.copies[number].flatMap({ Machine.content(of: $0.data) }) != machine.content
    {
      fail("at rest, the copy has the last good contents", Machine.text(of: machine.content))
    }
    if file.hasChanges { fail("at rest, everything is saved", "there are unsaved changes") }
    if isFailing { fail("each recovery is reported", "there was a failure to save") }
    if reportedProblem != nil { fail("each recovery is reported", "\(reportedProblem!)") }
    if polls, !isLeftToReads, !hasReportedPolling {
      fail("polling is reported once", "it was not reported")
    }
    for key in Self.keys {
      let value = StateLock.change { file.values.value(forKey: key, in: $0) }
      if value != machine.content?[key].map({ .integer(Int64($0)) }) {
        fail(
          "at rest, a process reads what the file holds",
          "\(key)=\(text(value)) instead of \(text(machine.content?[key]))")
      }
      if let last = observed[key], last != value {
        fail(
          "the last change that is observed ends at the present value",
          "\(key): \(text(last)) instead of \(text(value))")
      }
    }
  }
}
