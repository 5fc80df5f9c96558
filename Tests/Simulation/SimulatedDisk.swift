import Foundation
import Glibc
import PropertyList
import Threading

@testable import FileStorage
@testable import Preferences

/// What a process does to the disk in one step.
enum Step: String, CaseIterable {
  case look, read, createFolder, lock, renewLock, readLocked, write, flush, compare, rename
  case flushFolder, flushPresent, moveAside, unlock, sleep

  /// Whether the step can fail.
  var mayFail: Bool { self != .unlock && self != .sleep }

  /// The error of the step with a value of `errno`.
  func failure(_ code: Int32) -> SystemError { SystemError(operation, code: code) }

  private var operation: SystemError.Operation {
    switch self {
    case .look, .read, .readLocked: .read
    case .createFolder: .createFolder
    case .lock, .renewLock: .lock
    case .write: .createTemporaryFile
    case .flush, .flushFolder, .flushPresent: .synchronize
    case .compare, .rename, .moveAside, .unlock, .sleep: .replace
    }
  }
}

/// The disk as a simulated process sees it: before each step, the process waits until the
/// simulation resumes it.
struct SimulatedDisk: Disk {
  let process: SimulatedProcess

  private var machine: Machine { process.machine }

  var now: ContinuousClock.Instant { machine.instant }

  func sleep(for duration: Duration) {
    let end = machine.now + duration
    try? process.take(.sleep) { [machine] in machine.now >= end }
  }

  func identity(of path: String) throws(PreferencesError) -> FileIdentity? {
    try process.take(.look)
    return machine.identity
  }

  func read(
    _ path: String, since known: FileVersion?
  ) throws(PreferencesError) -> ConditionalRead {
    if path != Machine.path { return process.copy }
    try process.take(.read)
    process.didFind()
    return machine.read(since: known, process.clock)
  }

  func createFolder(of path: String) throws(PreferencesError) {
    try process.take(.createFolder)
    machine.hasFolder = true
  }

  func lock(
    _ path: String, within limit: TimeLimit, keepsLockFile: Bool, onLongWait: (String) -> Void
  ) throws(PreferencesError) -> any LockedDomainFile {
    if path != Machine.path { return SimulatedCopy(process) }
    let (lock, isNew) = try process.lock(.lock, within: limit, onLongWait: onLongWait)
    return SimulatedLockedFile(process, lock, isNew: isNew)
  }

  func lockToMoveAside(
    _ path: String, within limit: TimeLimit
  ) throws(PreferencesError) -> any LockedDomainFile {
    try lock(path, within: limit, keepsLockFile: true) { _ in }
  }

  func watch(
    _ path: String, with watcher: FileWatcher, _ handler: @escaping @Sendable () -> Void,
    polling: @escaping @Sendable (_ lacksWatches: Bool) -> Void
  ) -> any DomainFileWatch {
    let watch = SimulatedWatch(process, handler)
    process.watch = watch
    if process.polls { polling(true) }
    return watch
  }
}

/// A watch whose events the simulation delivers, or one that polls the file by the rules of
/// ``FileWatcher``.
final class SimulatedWatch: DomainFileWatch, @unchecked Sendable {
  private unowned let process: SimulatedProcess
  let handler: @Sendable () -> Void
  private var isChanged = false
  /// When the handler is called once more.
  private(set) var call: Duration?
  /// The next poll, and what the last ones found; nil if the system reports changes.
  private var poll: (time: Duration, found: Polls)?

  init(_ process: SimulatedProcess, _ handler: @escaping @Sendable () -> Void) {
    self.process = process
    self.handler = handler
    if !process.polls { return }
    poll = (machine.now + process.pollingInterval, Polls(machine.identity, at: machine.instant))
  }

  private var machine: Machine { process.machine }

  /// The file has changed.
  func noteChange() { if poll == nil { isChanged = true } }

  private var isPollDue: Bool { poll.map { $0.time <= machine.now } ?? false }

  private var isCallDue: Bool { call.map { $0 <= machine.now } ?? false }

  /// Whether there is something to do now.
  var hasEvent: Bool { isChanged || isCallDue || isPollDue }

  /// Whether there is something to do later.
  var isWaiting: Bool {
    call != nil
      || poll.map { !$0.found.isSettled || $0.found.identity != machine.identity } ?? false
  }

  /// Does what is due, and returns whether to call the handler: not after a poll that finds no
  /// change.
  func takeEvent() -> Bool {
    var isCalled = !isPollDue || isChanged || isCallDue
    if isCallDue { call = nil }
    isChanged = false
    if isPollDue {
      if poll?.found.record(machine.identity, at: machine.instant) == true { isCalled = true }
      poll?.time = machine.now + process.pollingInterval
    }
    return isCalled
  }

  func noteIdentity(_ identity: FileIdentity?) {
    let now = machine.instant
    poll?.found.note(identity, at: now)
  }

  func scheduleCall(after delay: Duration) {
    let time = process.machine.now + delay
    call = min(call ?? time, time)
  }
}

final class SimulatedLockedFile: LockedDomainFile {
  private let process: SimulatedProcess
  private var lock: Machine.Inode
  private let temporary: String
  private var expected: FileVersion?
  private var data = Data()
  /// The file when it was locked, until it is read for the first time.
  private var firstLook: (identity: FileIdentity?, position: Int)?
  private var hasFolder = false
  /// Whether an attempt has failed since the lock was last known to be current.
  private var needsRenewal = false

  init(_ process: SimulatedProcess, _ lock: Machine.Inode, isNew: Bool) {
    self.process = process
    self.lock = lock
    temporary = "new-\(process.number)"
    if !isNew { firstLook = (process.machine.identity, process.machine.position) }
  }

  private var machine: Machine { process.machine }

  var isLost: Bool { false }
  var ownerChange: (old: FileOwner, new: FileOwner)? { nil }

  func renewLock(within limit: TimeLimit) throws(PreferencesError) {
    needsRenewal = false
    if machine.isCurrent(lock) {
      try process.take(.renewLock)
      if machine.isCurrent(lock) { return }
    }
    machine.unlock(lock)
    (lock, _) = try process.lock(.renewLock, within: limit) { _ in }
  }

  func read(
    since known: FileVersion?, comparesBytes: Bool
  ) throws(PreferencesError) -> ConditionalRead {
    if needsRenewal, !machine.isCurrent(lock) { process.didKeepOldLock() }
    try process.take(.readLocked)
    process.didFind(isLocked: true)
    let look = exchange(&firstLook, with: nil)
    let read = machine.read(
      since: known, comparesBytes: comparesBytes, process.clock, look: look?.identity)
    if case .unchanged = read, let look {
      process.didRead(look.position)
    } else {
      process.didRead(machine.position)
    }
    return read
  }

  func writeTemporary(
    _ data: Data, inPlaceOf expected: FileVersion?
  ) throws(PreferencesError) {
    process.base = nil
    try step(.write)
    if machine.names[temporary] != nil { machine.remove(temporary) }
    machine.create(temporary, data)
    self.data = data
    self.expected = expected
  }

  func flushTemporary() throws(PreferencesError) {
    try step(.flush)
    machine.flush(temporary)
  }

  func holdsExpectedVersion() throws(PreferencesError) -> Bool {
    let end = machine.now + .milliseconds(200)
    try step(.compare) { [machine] in machine.folderHolder == nil || machine.now >= end }
    if machine.folderHolder == nil {
      machine.folderHolder = process.number
      hasFolder = true
    }
    process.base = machine.content
    if machine.holds(expected, process.clock) { return true }
    needsRenewal = true
    abandon()
    return false
  }

  func putTemporaryInPlace() throws(PreferencesError) -> FileVersion? {
    try step(.rename)
    process.base = process.base ?? machine.content
    machine.rename(temporary, to: Machine.file)
    process.didReplace()
    unlockFolder()
    return FileContents(data: data, identity: machine.identity!).version
  }

  func flushFolder() throws(PreferencesError) {
    try flush(.flushFolder)
    machine.flushFolder()
  }

  func flushPresent() throws(PreferencesError) {
    try flush(.flushPresent)
    machine.flush(Machine.file)
    machine.flushFolder()
    process.hasSaved = true
    if let failed = machine.failedFlusher, failed != ObjectIdentifier(process) {
      process.cannotKnowOfFailedFlush()
    }
  }

  func moveAside(suffix: String) throws(PreferencesError) -> String? {
    try process.take(.moveAside)
    guard machine.exists else { return nil }
    machine.rename(Machine.file, to: "aside-\(machine.position)")
    machine.flushFolder()
    return Machine.path + suffix
  }

  func unlock() {
    try? process.take(.unlock)
    // The system unlocks what a killed process had locked.
    if lock.holder == process.number { machine.unlock(lock) }
    process.heldLock = nil
  }

  /// Takes a step. If it fails, the system no longer knows what it was to flush.
  private func flush(_ step: Step) throws(PreferencesError) {
    do throws(PreferencesError) { try process.take(step) } catch {
      if !process.isDead { machine.failFlush(of: process) }
      throw error
    }
  }

  /// Takes a step after whose failure the temporary file is removed.
  private func step(
    _ step: Step, when isReady: @escaping () -> Bool = { true }
  ) throws(PreferencesError) {
    do throws(PreferencesError) { try process.take(step, when: isReady) } catch {
      if !process.isDead { abandon() }
      throw error
    }
  }

  private func abandon() {
    if machine.names[temporary] != nil { machine.remove(temporary) }
    unlockFolder()
  }

  private func unlockFolder() {
    if hasFolder { machine.folderHolder = nil }
    hasFolder = false
  }
}

/// A copy of the last good contents. Nothing but its process writes it, so only that can fail.
private final class SimulatedCopy: LockedDomainFile {
  private let process: SimulatedProcess
  private var data = Data()

  init(_ process: SimulatedProcess) { self.process = process }

  var isLost: Bool { false }
  var ownerChange: (old: FileOwner, new: FileOwner)? { nil }

  func read(
    since known: FileVersion?, comparesBytes: Bool
  ) throws(PreferencesError) -> ConditionalRead { process.copy }

  func writeTemporary(
    _ data: Data, inPlaceOf expected: FileVersion?
  ) throws(PreferencesError) {
    process.mayLackCopy = true
    process.isCopying = true
    defer { process.isCopying = false }
    try process.take(.write)
    self.data = data
  }

  func putTemporaryInPlace() throws(PreferencesError) -> FileVersion? {
    process.didCopy(data)
    return process.copy.version
  }

  func holdsExpectedVersion() throws(PreferencesError) -> Bool { true }
  func renewLock(within limit: TimeLimit) throws(PreferencesError) {}
  func flushTemporary() throws(PreferencesError) {}
  func flushFolder() throws(PreferencesError) {}
  func flushPresent() throws(PreferencesError) {}
  func moveAside(suffix: String) throws(PreferencesError) -> String? { nil }
  func unlock() {}
}
