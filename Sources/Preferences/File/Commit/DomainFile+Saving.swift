internal import Threading

/// Saving changes in the background and after the end.
extension DomainFile: Alarm {
  /// How long an attempt in the background waits for the lock.
  private static let lockLimit = Duration.seconds(2)

  /// Schedules a commit unless one is scheduled. The calling thread is inside the ``ForkGate``.
  func scheduleSaving(in change: borrowing StateChange) {
    reschedule(in: change) { schedule, now, delay in schedule.noteChange(at: now, delay: delay) }
    // The system may have had no more threads at an earlier change.
    runtime.startTimerIfNeeded(in: change)
  }

  /// Changes when the domain is saved.
  func reschedule(
    in change: borrowing StateChange,
    _ body: (inout SaveSchedule, _ now: Moment, _ delay: Duration) -> Void
  ) {
    let old = change[state].saving.due
    body(
      &change[state].saving, runtime.clock.now, change[runtime.state].configuration.commitDelay)
    switch change[state].saving.due {
    case let due? where due != old: runtime.setAlarm(self, at: due, in: change)
    case nil where change[state].saving == .clean: _ = change[runtime.state].alarms.remove(self)
    case _: break
    }
  }

  /// Records that a commit has succeeded.
  func noteSaved(in change: borrowing StateChange, _ delivery: inout Delivery) {
    var hasRecovered = false
    reschedule(in: change) { schedule, now, delay in
      hasRecovered = schedule.noteSuccess(
        hasChanges: values.hasChanges(in: change), at: now, delay: delay)
    }
    if hasRecovered, let path { delivery.add(.saveRecovery(path: path), on: runtime.events) }
  }

  /// Saves the changes on a thread of the runtime.
  func ring() {
    // Lets a waiting fork proceed first.
    ForkGate.shared.allowingForks {}
    if runtime.savers?.run({ self.request(.save) }) != true { request(.save) }
  }

  /// Saves the changes, or schedules another attempt and reports the failure.
  func saveInBackground(_ delivery: inout Delivery) {
    do throws(PreferencesError) {
      try commit(within: TimeLimit(Self.lockLimit, from: runtime.disk.now), &delivery)
    } catch {
      ForkGate.shared.delayingForks {
        StateLock.change { change in
          reschedule(in: change) { schedule, now, _ in schedule.backOff(at: now) }
          report(saveFailure: error, in: change, &delivery)
        }
      }
    }
  }

  /// Saves a change made after the engine has ended.
  func saveAfterEnd(until end: Moment, _ delivery: inout Delivery) {
    if lane.isHeldHere { return }
    do throws(PreferencesError) {
      try commit(within: TimeLimit(max(.zero, end - .now)), &delivery)
    } catch {
      StateLock.change { report(saveFailure: error, in: $0, &delivery) }
    }
  }

  /// Reports a failure, unless another thread has saved the changes since.
  private func report(
    saveFailure error: PreferencesError, in change: borrowing StateChange,
    _ delivery: inout Delivery
  ) {
    guard values.hasChanges(in: change) else { return }
    change[state].saving.noteReport()
    delivery.add(.saveFailure(error), on: runtime.events)
  }
}
