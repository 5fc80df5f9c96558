internal import Synchronization

/// Counts how often the stores of an engine did something and how long it took. Threads count
/// without waiting for each other.
final class ActivityCounter: Sendable {
  private let count = Atomic(0)
  private let failureCount = Atomic(0)
  private let nanoseconds = Atomic<Int64>(0)
  private let longest = Atomic<Int64>(0)

  /// Counts an activity that began at `start` and has ended.
  func note(since start: ContinuousClock.Instant, isFailure: Bool = false) {
    if isFailure { return noteFailure() }
    let duration = Int64((ContinuousClock.now - start) / .nanoseconds(1))
    count.wrappingAdd(1, ordering: .relaxed)
    nanoseconds.wrappingAdd(duration, ordering: .relaxed)
    longest.max(duration, ordering: .relaxed)
  }

  func noteFailure() { failureCount.wrappingAdd(1, ordering: .relaxed) }

  var activity: PreferencesStatistics.Activity {
    PreferencesStatistics.Activity(
      count: count.load(ordering: .relaxed),
      failureCount: failureCount.load(ordering: .relaxed),
      totalTime: .nanoseconds(nanoseconds.load(ordering: .relaxed)),
      longestTime: .nanoseconds(longest.load(ordering: .relaxed)))
  }
}
