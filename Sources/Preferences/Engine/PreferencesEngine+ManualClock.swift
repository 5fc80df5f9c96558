internal import FileStorage
internal import Threading

/// The clock of an engine for tests, which the test advances.
extension PreferencesEngine {
  /// Advances the clock of a manual engine, and does the work that becomes due, on this thread and
  /// at its time: saving, retrying, polling, and calling observers and event handlers.
  ///
  /// Calling this on another engine is a programming error.
  public func advance(by duration: Duration) {
    precondition(runtime.isManual, "the clock of the process cannot be advanced")
    let end = runtime.clock.now + duration
    doWhatIsDue()
    while let next = nextTime, next <= end {
      runtime.clock.set(next)
      doWhatIsDue()
    }
    runtime.clock.set(end)
  }

  /// Does a manual engine's due work on this thread and reads what other processes have saved,
  /// without advancing the clock.
  ///
  /// Calling this on another engine is a programming error.
  public func settle() {
    precondition(runtime.isManual, "the engine of the process does what is due by itself")
    runtime.watching.watcher.pollSoon()
    doWhatIsDue()
  }

  /// When work is due next.
  private var nextTime: Moment? {
    let alarm = StateLock.change { $0[runtime.state].alarms.first() }
    return [alarm, runtime.watching.watcher.nextTime.map(Moment.init)].compactMap(\.self).min()
  }

  private func doWhatIsDue() {
    repeat {
      runtime.watching.watcher.doWhatIsDue()
      runtime.ringAlarms()
      runtime.deliveries.deliverHere()
    } while nextTime.map { $0 <= runtime.clock.now } ?? false
  }
}
