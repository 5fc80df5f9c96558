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

  /// The violations, each with the events of its key around it: all that is needed to look for the
  /// cause.
  package func report() -> [String] {
    let events = events
    return HistoryChecker.violations(of: events).map { violation in
      var numbers = Set<Int>()
      let lines = events.prefix(violation.position + 1_000).enumerated().filter { _, event in
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
      let first = lines.firstIndex { $0.offset >= violation.position } ?? lines.count
      return "\(violation)\n"
        + lines[max(0, first - 200)..<min(lines.count, first + 20)].map { number, event in
          "\(number == violation.position ? ">" : " ") \(event)"
        }.joined(separator: "\n")
    }
  }
}
