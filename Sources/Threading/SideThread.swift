/// Runs closures that may never return, on a thread beside the one that waits for them.
///
/// A closure that takes too long is left behind with its thread, which ends after it; the next one
/// gets another thread. One thread at a time may run closures.
package final class SideThread: Sendable {
  /// The thread, and the closure that it runs.
  private final class Helper: Sendable {
    enum Stage {
      case idle, running, left, ended
    }

    struct State {
      var stage = Stage.idle
      var body: (@Sendable () -> Void)?
    }

    let state = Lock(State())
    let start = AutoResetEvent()
    let end = AutoResetEvent()
    /// `Fork.count` in the process in which the thread runs. A child does not have it.
    let forks = Fork.count
  }

  private struct State {
    var helper: Helper?
    /// The number of threads that were left behind and have not ended.
    var leftCount = 0
  }

  /// The time for which the thread stays when there is nothing to run.
  private static let idleLimit = Duration.seconds(5)
  /// The number of threads that are left behind at most; then closures are waited for.
  private static let leftLimit = 32

  /// Where closures run.
  package enum Place: Sendable, ExpressibleByStringLiteral {
    /// On threads with a name, of at most 15 bytes.
    case threads(String)
    /// On the thread that calls ``SideThread/run(waiting:_:)``, however long they take.
    case caller

    package init(stringLiteral name: String) { self = .threads(name) }
  }

  private let place: Place
  private let state = Lock(State())

  package init(_ place: Place) {
    self.place = place
  }

  /// Runs a closure, and waits for its end no longer than a time.
  ///
  /// - Returns: Whether it has ended; otherwise it goes on.
  @discardableResult
  package func run(waiting limit: Duration, _ body: @escaping @Sendable () -> Void) -> Bool {
    guard let helper = begin(body) else {
      body()
      return true
    }
    var deadline = ContinuousClock.now + limit
    while true {
      // The event may be that of an earlier closure, which ended just when it was waited for.
      let rest = deadline - .now
      ForkGate.shared.allowingForks { helper.end.wait(for: max(.zero, rest)) }
      if helper.state.withLock({ $0.stage }) != .running { return true }
      if deadline > .now { continue }
      if leave(helper) { return false }
      deadline = .now + limit
    }
  }

  /// Leaves a thread behind, unless its closure has ended or there are too many such threads.
  private func leave(_ helper: Helper) -> Bool {
    state.withLock { state in
      guard state.leftCount < Self.leftLimit else { return false }
      let isLeft = helper.state.withLock { helper in
        guard helper.stage == .running else { return false }
        helper.stage = .left
        return true
      }
      guard isLeft else { return false }
      state.leftCount += 1
      state.helper = nil
      return true
    }
  }

  /// Starts a closure on the thread, or on a new one; nil if the system has no more threads.
  private func begin(_ body: @escaping @Sendable () -> Void) -> Helper? {
    guard case .threads(let name) = place else { return nil }
    if let helper = state.withLock({ $0.helper }), helper.forks == Fork.count {
      let isBegun = helper.state.withLock { state in
        guard state.stage == .idle else { return false }
        state = Helper.State(stage: .running, body: body)
        return true
      }
      if isBegun {
        helper.start.signal()
        return helper
      }
    }
    let helper = Helper()
    helper.state.withLock { $0 = Helper.State(stage: .running, body: body) }
    guard BackgroundThread.start(name, { self.serve(helper) }) else { return nil }
    state.withLock { state in
      if state.helper.map({ $0.forks != helper.forks }) == true { state.leftCount = 0 }
      state.helper = helper
    }
    return helper
  }

  private func serve(_ helper: Helper) {
    while true {
      if let body = helper.state.withLock({ exchange(&$0.body, with: nil) }) {
        body()
        let isLeft = helper.state.withLock { state in
          defer { state.stage = state.stage == .left ? .ended : .idle }
          return state.stage == .left
        }
        if isLeft {
          state.withLock { $0.leftCount -= 1 }
          return
        }
        helper.end.signal()
      }
      ForkGate.shared.allowingForks { helper.start.wait(for: Self.idleLimit) }
      let isEnd = helper.state.withLock { state in
        guard state.stage == .idle else { return false }
        state.stage = .ended
        return true
      }
      if isEnd { return }
    }
  }
}
