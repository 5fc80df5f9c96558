internal import Threading

extension Runtime {
  /// The thread that waits for the earliest alarm.
  ///
  /// It lives a few seconds longer than the last alarm, so that a program that sets values
  /// repeatedly does not start a thread each time.
  enum Timer {
    case none
    /// It wakes at a time or when the event is signaled.
    case running(AutoResetEvent, wakes: Moment)
    /// The system could not start a thread; the next attempt is made at a time.
    case failed(next: Moment)
  }

  /// How long the thread stays without alarms.
  private static let idleLimit = Duration.seconds(5)
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

  /// Starts the thread if it is not running, also after an earlier failure to start it.
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
    var end = Moment.now + Self.idleLimit
    while let wakes = StateLock.change({ planWake(event, idleUntil: end, in: $0) }) {
      let pause = wakes - .now
      if pause > .zero { ForkGate.shared.allowingForks { event.wait(for: pause) } }
      if ringAlarms() { end = .now + Self.idleLimit }
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
    let wakes = change[state].alarms.first() ?? (isIdle ? end : .now + Self.idleLimit)
    change[state].timer = .running(event, wakes: wakes)
    return wakes
  }
}
