import Dispatch
import Publishing
import Threading

/// A scheduler whose time passes when a test says so.
final class VirtualScheduler: Scheduler {
  typealias SchedulerTimeType = DispatchQueue.SchedulerTimeType

  private struct Action {
    var time: SchedulerTimeType
    var body: @Sendable () -> Void
  }

  private struct State {
    var now = SchedulerTimeType(DispatchTime(uptimeNanoseconds: 1_000_000_000))
    /// In order of time, and of scheduling.
    var actions: [Action] = []
  }

  private let state = Lock(State())

  var now: SchedulerTimeType {
    HeldLocks.assertNone("a scheduler is called with a lock held")
    return state.withLock { $0.now }
  }
  /// The number of actions that have not run.
  var pending: Int { state.withLock { $0.actions.count } }

  func schedule(_ action: @escaping @Sendable () -> Void) {
    schedule(after: now, action)
  }

  func schedule(after date: SchedulerTimeType, _ action: @escaping @Sendable () -> Void) {
    state.withLock { state in
      let index = state.actions.firstIndex { $0.time > date } ?? state.actions.endIndex
      state.actions.insert(Action(time: date, body: action), at: index)
    }
  }

  /// Lets time pass, and runs the actions whose time comes.
  func advance(by interval: SchedulerTimeType.Stride) {
    let end = now.advanced(by: interval)
    while let action = next(until: end) { action.body() }
    state.withLock { $0.now = end }
  }

  private func next(until end: SchedulerTimeType) -> Action? {
    state.withLock { state in
      guard let first = state.actions.first, first.time <= end else { return nil }
      state.now = max(state.now, first.time)
      return state.actions.removeFirst()
    }
  }
}
