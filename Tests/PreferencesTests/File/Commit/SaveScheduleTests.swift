import Testing

@testable import Preferences

@Suite("The schedule of saving")
struct SaveScheduleTests {
  private typealias Attempt = SaveSchedule.Attempt

  private let delay = Duration.milliseconds(50)

  private func time(_ milliseconds: Int) -> Moment {
    Moment(nanoseconds: 0) + .milliseconds(milliseconds)
  }

  private func waiting(_ due: Int, since: Int, failures: Int = 0) -> SaveSchedule {
    .waiting(Attempt(due: time(due), since: time(since), failures: failures))
  }

  private func saving(
    _ due: Int, since: Int, failures: Int = 0, laterSince: Int? = nil
  ) -> SaveSchedule {
    .saving(
      Attempt(due: time(due), since: time(since), failures: failures),
      laterSince: laterSince.map(time))
  }

  /// The states, each before a change at 1000 and after it.
  @Test("has a row for a change in each state")
  func change() {
    for (before, after) in [
      (.clean, waiting(1050, since: 1000)),
      (waiting(20, since: 10), waiting(20, since: 10)),
      (waiting(9000, since: 10, failures: 3), waiting(9000, since: 10, failures: 3)),
      (saving(20, since: 10), saving(20, since: 10, laterSince: 1000)),
      (saving(20, since: 10, laterSince: 30), saving(20, since: 10, laterSince: 30)),
    ] as [(SaveSchedule, SaveSchedule)] {
      var schedule = before
      schedule.noteChange(at: time(1000), delay: delay)
      #expect(schedule == after)
      #expect(schedule.coversNextChange)
      #expect(before.coversNextChange == (before == after))
    }
  }

  @Test("has a row for the beginning of a commit in each state")
  func beginning() {
    for (before, after) in [
      (.clean, .clean),
      (waiting(20, since: 10, failures: 2), saving(20, since: 10, failures: 2)),
      (saving(20, since: 10), saving(20, since: 10)),
    ] as [(SaveSchedule, SaveSchedule)] {
      var schedule = before
      schedule.begin()
      #expect(schedule == after)
    }
  }

  @Test(
    "has a row for a success in each state: it ends pauses, and a reported failure when all is saved"
  )
  func success() {
    for (before, hasChanges, after) in [
      (.clean, false, .clean),
      (.clean, true, waiting(1050, since: 1000)),
      (waiting(9000, since: 10, failures: 4), false, .clean),
      (saving(20, since: 10, failures: 4), false, .clean),
      (saving(20, since: 10, failures: 4, laterSince: 900), true, waiting(1050, since: 900)),
      (saving(20, since: 10), true, waiting(1050, since: 1000)),
      // A change that another thread has made while an update without earlier changes was saved.
      (waiting(1020, since: 970), true, waiting(1020, since: 970)),
    ] as [(SaveSchedule, Bool, SaveSchedule)] {
      var schedule = before
      let isReported = schedule.noteSuccess(
        hasChanges: hasChanges, at: time(1000), delay: delay)
      #expect(!isReported)
      #expect(schedule == after)

      schedule = before
      schedule.noteReport()
      let isOver = schedule.noteSuccess(hasChanges: hasChanges, at: time(1000), delay: delay)
      #expect(isOver == (before != .clean && !hasChanges))
      if isOver { #expect(schedule == .clean) }
      schedule.begin()
      let isOverLater = schedule.noteSuccess(hasChanges: false, at: time(2000), delay: delay)
      #expect(isOverLater == (before != .clean && hasChanges))
    }
  }

  @Test("has a row for a failure in each state: the next attempt follows, but not before its time")
  func failure() {
    for (before, after) in [
      (.clean, .clean),
      (waiting(20, since: 10), waiting(20, since: 10)),
      (saving(20, since: 10, laterSince: 900), waiting(1050, since: 10)),
      (saving(9000, since: 10, failures: 3), waiting(9000, since: 10, failures: 3)),
    ] as [(SaveSchedule, SaveSchedule)] {
      var schedule = before
      schedule.noteFailure(at: time(1000), delay: delay)
      #expect(schedule == after)
    }
  }

  @Test("waits for 1, 2, 4, 8 and then 16 seconds after failures in the background")
  func pauses() {
    var schedule = waiting(0, since: 0)
    let pauses = (1...7).map { failure -> Duration? in
      schedule.begin()
      schedule.noteFailure(at: time(0), delay: delay)
      schedule.backOff(at: time(0))
      #expect(schedule.unsavedSince == time(0))
      return schedule.due.map { $0 - time(0) }
    }
    #expect(pauses == [1, 2, 4, 8, 16, 16, 16].map { .seconds($0) })
    schedule.begin()
    _ = schedule.noteSuccess(hasChanges: false, at: time(0), delay: delay)
    schedule.noteChange(at: time(100), delay: delay)
    #expect(schedule == waiting(150, since: 100))
  }

  @Test("has a row for a failure in the background in each state: a waiting attempt is postponed")
  func backOff() {
    for (before, after) in [
      (.clean, .clean),
      (waiting(20, since: 10, failures: 2), waiting(5000, since: 10, failures: 3)),
      (saving(20, since: 10, failures: 2), saving(20, since: 10, failures: 2)),
    ] as [(SaveSchedule, SaveSchedule)] {
      var schedule = before
      schedule.backOff(at: time(1000))
      #expect(schedule == after)
    }
  }

  @Test("has a row for a report in each state: what is unsaved remembers it")
  func report() {
    let attempt = Attempt(due: time(20), since: time(10))
    var reported = attempt
    reported.isReported = true
    for (before, after) in [
      (.clean, .clean),
      (.waiting(attempt), .waiting(reported)),
      (.saving(attempt, laterSince: time(30)), .saving(reported, laterSince: time(30))),
    ] as [(SaveSchedule, SaveSchedule)] {
      var schedule = before
      schedule.noteReport()
      #expect(schedule == after)
    }
  }

  @Test("follows a lower delay at once, and no higher one")
  func delays() {
    for (before, delay, after) in [
      (.clean, 10, .clean),
      (waiting(60_000, since: 10), 50, waiting(1050, since: 10)),
      (waiting(1020, since: 10), 50, waiting(1020, since: 10)),
      // It comes after a failure, not after the delay.
      (waiting(9000, since: 10, failures: 1), 50, waiting(9000, since: 10, failures: 1)),
      (saving(60_000, since: 10), 50, saving(60_000, since: 10)),
    ] as [(SaveSchedule, Int, SaveSchedule)] {
      var schedule = before
      schedule.applyDelay(.milliseconds(delay), at: time(1000))
      #expect(schedule == after)
    }
  }

  @Test("has a row for a fork in each state: the child saves again what the parent was saving")
  func forks() {
    for (before, after) in [
      (.clean, .clean),
      (waiting(20, since: 10, failures: 2), waiting(20, since: 10, failures: 2)),
      (saving(20, since: 10, laterSince: 30), waiting(1000, since: 10)),
    ] as [(SaveSchedule, SaveSchedule)] {
      var schedule = before
      schedule.restart(at: time(1000))
      #expect(schedule == after)
    }
  }
}
