internal import Threading

/// A history while it is recorded, by any thread.
package final class HistoryLog: Sendable {
  private struct State {
    var events: [HistoryEvent] = []
    var writeCount = 0
  }

  private let state = Lock(State())

  package init() {}

  /// The events so far.
  package var events: [HistoryEvent] { state.withLock { $0.events } }

  /// Records an event.
  package func record(_ event: HistoryEvent) { state.withLock { $0.events.append(event) } }

  /// Records that a machine is about to set a new value, or to remove a key.
  ///
  /// - Returns: The number of the write, and its value.
  package func recordWrite(
    machine: Int, key: String, isRemoval: Bool
  ) -> (number: Int, value: String?) {
    state.withLock { state in
      state.writeCount += 1
      let value = isRemoval ? nil : "\(state.writeCount) of \(machine)"
      state.events.append(
        .invoked(state.writeCount, machine: machine, key: key, value: value))
      return (state.writeCount, value)
    }
  }

  /// The violations, each with the events of its key before it: all that is needed to look for the
  /// cause.
  package func report() -> [String] {
    let events = events
    return HistoryChecker.violations(of: events).map { violation in
      var numbers = Set<Int>()
      let lines = events.filter { event in
        switch event {
        case .invoked(let number, _, violation.key, _):
          numbers.insert(number)
          return true
        case .saved(let number), .uploaded(let number), .skipped(let number):
          return numbers.contains(number)
        case .ended: return true
        default: return event.key == violation.key
        }
      }
      return "\(violation)\n" + lines.suffix(200).map { "  \($0)" }.joined(separator: "\n")
    }
  }
}
