import SyncHistories
import Testing

@Suite("Histories are checked against what synchronization promises")
struct HistoryCheckerTests {
  /// A history, and the rules that it breaks.
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var rules: [HistoryViolation.Rule]
    var events: [HistoryEvent]

    init(_ name: String, breaks rules: HistoryViolation.Rule..., events: [HistoryEvent]) {
      testDescription = name
      self.rules = rules
      self.events = events
    }
  }

  private static func set(_ number: Int, on machine: Int, _ value: String?) -> [HistoryEvent] {
    [
      .invoked(number, machine: machine, key: "k", value: value),
      .observed(machine: machine, key: "k", value: value), .saved(number),
    ]
  }

  private static func seen(_ value: String?, on machine: Int) -> HistoryEvent {
    .observed(machine: machine, key: "k", value: value)
  }

  /// The value at the end, the same everywhere.
  private static func all(_ value: String?) -> [HistoryEvent] {
    [
      .final(.remote, key: "k", value: value), .final(.machine(1), key: "k", value: value),
      .final(.machine(2), key: "k", value: value),
    ]
  }

  static let rows: [Row] = [
    Row("Nothing at all", events: []),
    Row("No value", events: all(nil)),
    Row("One value", events: set(1, on: 1, "a") + [seen("a", on: 2)] + all("a")),
    Row(
      "The first of two concurrent values",
      events: set(1, on: 1, "a") + set(2, on: 2, "b") + all("a")),
    Row(
      "The second of two concurrent values",
      events: set(1, on: 1, "a") + set(2, on: 2, "b") + all("b")),
    Row(
      "A write that was not acknowledged takes place",
      events: set(1, on: 1, "a") + [.invoked(2, machine: 1, key: "k", value: "b")] + all("b")),
    Row(
      "A write that was not acknowledged does not take place",
      events: set(1, on: 1, "a") + [.invoked(2, machine: 1, key: "k", value: "b")] + all("a")),
    Row(
      "A removal wins over a concurrent value",
      events: set(1, on: 1, "a") + [seen("a", on: 2)] + set(2, on: 2, nil) + set(3, on: 1, "b")
        + all(nil)),
    Row(
      "A concurrent value wins over a removal",
      events: set(1, on: 1, "a") + [seen("a", on: 2)] + set(2, on: 2, nil) + set(3, on: 1, "b")
        + all("b")),
    Row(
      "A value that was not saved is gone after the end of the process",
      events: set(1, on: 1, "a")
        + [.invoked(2, machine: 1, key: "k", value: "b"), seen("b", on: 1)]
        + [.ended(machine: 1), seen("a", on: 1)] + all("a")),
    Row(
      "A received value that was not on disk comes again",
      events: set(1, on: 1, "a") + [seen("a", on: 2)] + set(2, on: 2, "b")
        + [seen("b", on: 1), .ended(machine: 1), seen("a", on: 1), seen("b", on: 1)] + all("b")),
    Row(
      "A removal that was not needed explains nothing", breaks: .keepsSaved,
      events: set(1, on: 1, "a") + [.invoked(2, machine: 2, key: "k", value: nil), .skipped(2)]
        + all(nil)),
    Row(
      "A machine disagrees", breaks: .converges,
      events: set(1, on: 1, "a") + set(2, on: 2, "b") + all("a").dropLast()
        + [.final(.machine(2), key: "k", value: "b")]),
    Row(
      "The remote store disagrees", breaks: .converges,
      events: set(1, on: 1, "a") + set(2, on: 2, "b")
        + [.final(.remote, key: "k", value: "b")] + all("a").dropFirst()),
    Row("A value from nowhere", breaks: .invents, events: set(1, on: 1, "a") + all("x")),
    Row(
      "A value of another key", breaks: .invents,
      events: set(1, on: 1, "a")
        + [.invoked(2, machine: 1, key: "other", value: "b"), .saved(2)] + all("b")),
    Row(
      "A value from nowhere for a moment", breaks: .invents,
      events: [seen("x", on: 2)] + set(1, on: 1, "a") + all("a")),
    Row(
      "An earlier value of the same machine", breaks: .keepsSaved,
      events: set(1, on: 1, "a") + set(2, on: 1, "b") + all("a")),
    Row("No value after one was saved", breaks: .keepsSaved, events: set(1, on: 1, "a") + all(nil)),
    Row(
      "A value that the writer of another had seen", breaks: .keepsSaved,
      events: set(1, on: 1, "a") + [seen("a", on: 2)] + set(2, on: 2, "b") + all("a")),
    Row(
      "A value that the writer of another knew through a third machine", breaks: .keepsSaved,
      events: set(1, on: 3, "a") + [seen("a", on: 1)] + set(2, on: 1, "b") + [seen("b", on: 2)]
        + set(3, on: 2, "c") + all("a")),
    Row(
      "A value after it was replaced in the remote store", breaks: .keepsUploaded,
      events: set(1, on: 1, "a") + set(2, on: 1, "b") + [.uploaded(2)] + all("a")),
    Row(
      "A removed value", breaks: .keepsRemoved,
      events: set(1, on: 1, "a") + [seen("a", on: 2)] + set(2, on: 2, nil) + all("a")),
    Row(
      "A value that was removed before it was set again", breaks: .keepsSaved,
      events: set(1, on: 1, "a") + [seen("a", on: 2)] + set(2, on: 2, nil) + set(3, on: 2, "b")
        + all("a")),
    Row(
      "No value, after the removal was followed by another value", breaks: .keepsSaved,
      events: set(1, on: 1, "a") + set(2, on: 1, nil) + set(3, on: 1, "b") + all(nil)),
    Row(
      "No value, after another machine has seen the one removal", breaks: .keepsSaved,
      events: set(1, on: 1, "a") + [seen("a", on: 2)] + set(2, on: 1, nil) + [seen(nil, on: 2)]
        + set(3, on: 2, "b") + all(nil)),
    Row(
      "A machine returns to an earlier value", breaks: .goesBack,
      events: set(1, on: 1, "a") + [seen("a", on: 2)] + set(2, on: 1, "b")
        + [seen("b", on: 2), seen("a", on: 2)] + all("b")),
    Row(
      "A machine sees a removed value again", breaks: .goesBack,
      events: set(1, on: 1, "a") + [seen("a", on: 2)] + set(2, on: 2, nil) + [seen("a", on: 2)]
        + all(nil)),
    Row(
      "A machine begins with a value from before its own saved one", breaks: .goesBack,
      events: set(1, on: 1, "a") + set(2, on: 1, "b") + [.ended(machine: 1), seen("a", on: 1)]
        + all("b")),
  ]

  @Test("A right history is accepted, a wrong one refused by its rule", arguments: rows)
  func rules(row: Row) {
    #expect(HistoryChecker.violations(of: row.events).map(\.rule) == row.rules)
  }

  @Test("Every rule is broken by some history")
  func allRules() {
    #expect(Set(Self.rows.flatMap(\.rules)) == Set(HistoryViolation.Rule.allCases))
  }

  @Test("A violation says what was expected, and its report has the events of the key")
  func report() {
    let log = HistoryLog()
    let write = log.recordWrite(machine: 1, key: "k", isRemoval: false)
    log.record(.saved(write.number))
    log.record(.invoked(9, machine: 2, key: "other", value: "x"))
    log.record(.uploaded(write.number))
    log.record(.final(.remote, key: "k", value: nil))
    #expect(
      log.report() == [
        """
        k: the remote store has the value none after write 1 (1 of 1), which is later; expected \
        that an uploaded value is replaced by later ones only
          machine 1: write 1: k = 1 of 1
          write 1 is saved
          write 1 is uploaded
        > the remote store: in the end k is none
        """
      ])
  }
}
