internal import Glibc
internal import Synchronization
internal import Threading

/// Provides the domains of an engine with time, the disk, threads, the watcher, and the handlers of
/// events.
///
/// Only ``PreferencesEngine`` knows the domains.
final class Runtime: Sendable {
  struct State {
    var configuration = RuntimeConfiguration()
    /// Domains with unsaved changes, and calls with a deadline.
    var alarms = Alarms()
    var timer = Timer.none
    /// Nil until the engine ends; then the deadline for saving later changes, each as it is made.
    var end: Moment?
  }

  let state = Guarded(State())
  let clock: EngineClock
  let disk: any Disk
  /// Whether the program advances the clock.
  let isManual: Bool
  let watching: FileWatching
  let events: EventHandlers
  let deliveries: DeliveryQueue
  /// Saves domains in the background and at the end; nil without threads.
  let savers: WorkerPool?
  /// Makes blocking calls for tasks, which must not occupy the threads that save.
  let callers: WorkerPool?
  let commits = ActivityCounter()
  /// Reads of new and changed contents.
  let reads = ActivityCounter()
  /// The number of file-backed domains in use.
  let fileCount = Atomic(0)

  init(_ kind: EngineClock.Kind, disk: any Disk) {
    clock = EngineClock(kind)
    self.disk = disk
    isManual = kind == .manual
    deliveries = DeliveryQueue(startsThread: kind == .system)
    switch kind {
    case .system:
      events = .process
      let width = Self.saverCount
      savers = WorkerPool("larder-commit", width: width, limit: width + 32, patience: .seconds(1))
      callers = WorkerPool("larder-async", width: 8, limit: 64, patience: .seconds(1))
      watching = FileWatching()
    case .manual:
      events = EventHandlers()
      savers = nil
      callers = nil
      watching = FileWatching(polling: clock)
    }
  }

  /// The number of domains saved at once: enough for the disk to flush several files together, but,
  /// with up to five descriptors each, within the limit of the process.
  private static let saverCount = min(16, max(2, sysconf(Int32(_SC_OPEN_MAX)) / 8))

  /// Wakes the objects whose alarms are due, and returns whether there were any.
  @discardableResult
  func ringAlarms() -> Bool {
    let now = clock.now
    let due = StateLock.change { $0[state].alarms.takeDue(at: now) }
    for alarm in due { alarm.ring() }
    return !due.isEmpty
  }
}

extension Runtime {
  /// The thread that waits for the earliest alarm.
  ///
  /// It lives a few seconds longer than the last alarm, so that a program that sets values
  /// repeatedly does not start a thread each time.
  enum Timer {
    case none
    /// The thread wakes at a time, or when the event is signaled.
    case running(AutoResetEvent, wakes: Moment)
    /// The system could not start a thread; the next attempt is made at a time.
    case failed(next: Moment)
  }

  /// The minimum time between attempts to start the thread.
  private static let pauseBetweenStarts = Duration.milliseconds(10)

  /// Wakes an object at a time, which replaces an earlier one. The calling thread is inside the
  /// ``ForkGate``, unless the timer is running.
  func setAlarm(_ alarm: any Alarm, at time: Moment, in change: borrowing StateChange) {
    change[state].alarms.set(alarm, at: time)
    if case .running(let event, let wakes) = change[state].timer, time < wakes { event.signal() }
    startTimerIfNeeded(in: change)
  }

  /// Wakes an object at a time if the engine has a thread.
  func setAlarm(_ alarm: any Alarm, at time: Moment) {
    if isManual { return }
    ForkGate.shared.delayingForks { StateLock.change { setAlarm(alarm, at: time, in: $0) } }
  }

  /// Removes the alarm of an object that the caller retains.
  func removeAlarm(_ alarm: any Alarm) { StateLock.change { _ = $0[state].alarms.remove(alarm) } }

  /// Whether objects are woken: the thread runs, and the engine has not ended.
  func isRunning(in change: borrowing StateChange) -> Bool {
    guard change[state].end == nil else { return false }
    if case .running = change[state].timer { return true }
    return isManual
  }

  /// Starts the thread if it is not running, even if it could not be started earlier.
  func startTimerIfNeeded(in change: borrowing StateChange) {
    if isManual || change[state].alarms.isEmpty { return }
    switch change[state].timer {
    case .running: return
    case .failed(let next) where next > .now: return
    case .none, .failed: break
    }
    let event = AutoResetEvent()
    let isStarted = BackgroundThread.start("larder-save") { self.runTimer(event) }
    change[state].timer =
      isStarted ? .running(event, wakes: .now) : .failed(next: .now + Self.pauseBetweenStarts)
  }

  func startTimerIfNeeded() {
    ForkGate.shared.delayingForks { StateLock.change { startTimerIfNeeded(in: $0) } }
  }

  private func runTimer(_ event: AutoResetEvent) {
    var end = Moment.now + BackgroundThread.idleLimit
    while let wakes = StateLock.change({ planWake(event, idleUntil: end, in: $0) }) {
      let pause = wakes - .now
      if pause > .zero { ForkGate.shared.allowingForks { event.wait(for: pause) } }
      if ringAlarms() { end = .now + BackgroundThread.idleLimit }
    }
  }

  /// Sets the time at which the thread wakes; nil if the thread ends.
  private func planWake(
    _ event: AutoResetEvent, idleUntil end: Moment, in change: borrowing StateChange
  ) -> Moment? {
    let isIdle = change[state].alarms.isEmpty
    if isIdle, end <= .now {
      change[state].timer = .none
      return nil
    }
    let wakes = change[state].alarms.first() ?? (isIdle ? end : .now + BackgroundThread.idleLimit)
    change[state].timer = .running(event, wakes: wakes)
    return wakes
  }
}
