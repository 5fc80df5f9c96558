internal import Threading

/// Waking objects at their times.
extension PreferencesEngine {
  /// The thread that waits for the earliest time.
  ///
  /// It lives as long as anything is planned, and a few seconds longer, so that a program that sets
  /// values again and again does not start one each time.
  enum Timer {
    case none
    /// It wakes at a time, or when the event is signaled.
    case running(AutoResetEvent, wakes: ContinuousClock.Instant)
    /// The system had no more threads. The next attempt to start one is made at a time.
    case failed(next: ContinuousClock.Instant)
  }

  /// The time for which the thread stays when nothing is planned.
  private static let idleLimit = Duration.seconds(5)
  /// The minimum time between attempts to start the thread.
  private static let pauseBetweenStarts = Duration.milliseconds(10)

  /// Wakes an object at a time, instead of any other. The thread is within the ``ForkGate``, unless the
  /// timer is running.
  func setAlarm(
    _ alarm: any Alarm, at time: ContinuousClock.Instant, in change: borrowing StateChange
  ) {
    change[state].alarms.set(alarm, at: time)
    if case .running(let event, let wakes) = change[state].timer, time < wakes { event.signal() }
    startTimerIfNeeded(in: change)
  }

  /// Wakes an object at a time, unless the engine has no thread.
  func setAlarm(_ alarm: any Alarm, at time: ContinuousClock.Instant) {
    if isManual { return }
    ForkGate.shared.delayingForks { StateLock.change { setAlarm(alarm, at: time, in: $0) } }
  }

  /// Forgets the time of an object, which the caller retains.
  func removeAlarm(_ alarm: any Alarm) { StateLock.change { removeAlarm(alarm, in: $0) } }

  /// Forgets the time of an object, which the caller retains.
  func removeAlarm(_ alarm: any Alarm, in change: borrowing StateChange) {
    _ = change[state].alarms.remove(alarm)
  }

  /// Whether what has an alarm is woken: the thread runs, and the engine has not ended.
  func isRunning(in change: borrowing StateChange) -> Bool {
    guard change[state].end == nil else { return false }
    if case .running = change[state].timer { return true }
    return isManual
  }

  /// Starts the thread if it is missing, as after the system had no more.
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

  /// Starts the thread if it is missing.
  func startTimerIfNeeded() {
    ForkGate.shared.delayingForks { StateLock.change { startTimerIfNeeded(in: $0) } }
  }

  private func runTimer(_ event: AutoResetEvent) {
    var end = ContinuousClock.now + Self.idleLimit
    while let wakes = StateLock.change({ planWake(event, idleUntil: end, in: $0) }) {
      let pause = wakes - .now
      if pause > .zero { ForkGate.shared.allowingForks { event.wait(for: pause) } }
      if ringAlarms() { end = .now + Self.idleLimit }
    }
  }

  /// Notes the time at which the thread wakes; nil if it ends.
  private func planWake(
    _ event: AutoResetEvent, idleUntil end: ContinuousClock.Instant,
    in change: borrowing StateChange
  ) -> ContinuousClock.Instant? {
    let isIdle = change[state].alarms.isEmpty
    if isIdle, end <= .now {
      change[state].timer = .none
      return nil
    }
    let wakes = change[state].alarms.first() ?? (isIdle ? end : .now + Self.idleLimit)
    change[state].timer = .running(event, wakes: wakes)
    return wakes
  }
}
