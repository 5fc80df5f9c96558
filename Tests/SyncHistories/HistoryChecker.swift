/// Checks histories against what synchronization promises, by causality alone.
///
/// A machine knows the values that its store has had, and what the machines that wrote them knew at
/// that time. A write is later than all that its machine knew of its key, whatever the clocks say,
/// and the store must keep that order. Among writes that did not know each other, any may win.
///
/// Removals cannot be told apart where they are observed. One counts as known if it is the only one
/// that may have been observed, so that no right history is refused.
package struct HistoryChecker {
  /// A write of a key.
  private struct Write {
    var number: Int
    var machine: Int
    var value: String?
    /// The writes that its machine knew.
    var past: Set<Int> = []
    var isObserved = false
    var isSaved = false
    var isUploaded = false
  }

  /// What a machine knows of a key.
  private struct Knowledge {
    /// The writes that it has ever known.
    var all: Set<Int> = []
    /// Those that have been replaced on this machine, as far as that is on its disk or the process
    /// has not ended since.
    var replaced: Set<Int> = []
    /// Those that are replaced even if the process ends.
    var replacedForGood: Set<Int> = []
    var value: String?
    /// Whether the process has observed the key since its start.
    var isObserved = false
  }

  private let key: String
  private var writes: [Int: Write] = [:]
  private var numbers: [String: Int] = [:]
  private var machines: [Int: Knowledge] = [:]
  private var finals: [(replica: HistoryEvent.Replica, value: String?)] = []
  private var violations: [HistoryViolation] = []
  /// The position of the event that was added last.
  private var position = 0

  /// Returns the violations of a history, key by key.
  package static func violations(of events: [HistoryEvent]) -> [HistoryViolation] {
    var checkers: [String: HistoryChecker] = [:]
    var keys: [Int: String] = [:]
    for (position, event) in events.enumerated() {
      if case .invoked(let number, _, let key, _) = event { keys[number] = key }
      switch event {
      case .invoked(_, _, let key, _), .observed(_, let key, _), .final(_, let key, _):
        checkers[key, default: HistoryChecker(key: key)].add(event, at: position)
      case .saved(let number), .uploaded(let number), .skipped(let number):
        if let key = keys[number] { checkers[key]?.add(event, at: position) }
      case .ended: for key in checkers.keys { checkers[key]?.add(event, at: position) }
      }
    }
    return checkers.sorted { $0.key < $1.key }.flatMap { $0.value.result() }
  }

  private init(key: String) { self.key = key }

  private mutating func add(_ event: HistoryEvent, at position: Int) {
    self.position = position
    switch event {
    case .invoked(let number, let machine, _, let value):
      writes[number] = Write(
        number: number, machine: machine, value: value, past: machines[machine]?.all ?? [])
      if let value { numbers[value] = number }
    case .skipped(let number): writes[number] = nil
    case .saved(let number): save(number)
    case .uploaded(let number): writes[number]?.isUploaded = true
    case .observed(let machine, _, let value): observe(value, on: machine)
    case .ended(let machine): end(machine)
    case .final(let replica, _, let value): finals.append((replica, value))
    }
  }

  private mutating func save(_ number: Int) {
    guard let write = writes[number] else { return }
    writes[number]?.isSaved = true
    // The write itself is known once it is observed, in its order among other values.
    machines[write.machine, default: Knowledge()].replaced.formUnion(write.past)
    machines[write.machine]?.replacedForGood.formUnion(write.past)
  }

  private mutating func end(_ machine: Int) {
    guard var knowledge = machines[machine] else { return }
    for write in writes.values where write.machine == machine && write.isSaved {
      knowledge.all.insert(write.number)
    }
    knowledge.isObserved = false
    knowledge.replaced = knowledge.replacedForGood
    machines[machine] = knowledge
  }

  // MARK: Observations

  private mutating func observe(_ value: String?, on machine: Int) {
    var knowledge = machines[machine] ?? Knowledge()
    defer { machines[machine] = knowledge }
    let isFirst = !knowledge.isObserved
    knowledge.isObserved = true
    if !isFirst && knowledge.value == value { return }
    knowledge.value = value
    let number: Int
    if let value {
      guard let written = numbers[value] else {
        return violations.append(
          HistoryViolation(
            .invents, key: key, at: position,
            "machine \(machine) has the value \(value), which nobody wrote"))
      }
      number = written
    } else {
      let removals = writes.values.filter {
        $0.value == nil && !knowledge.all.contains($0.number)
      }
      // Without a value before it, it may be the removal that was known already.
      guard let removal = removals.first, removals.count == 1, !isFirst else {
        if !isFirst { knowledge.replaced.formUnion(knowledge.all.filter { !isRemoval($0) }) }
        return
      }
      number = removal.number
    }
    if knowledge.replaced.contains(number) {
      violations.append(
        HistoryViolation(
          .goesBack, key: key, at: position,
          "machine \(machine) has the value \(value ?? "none") again"))
    }
    // Its own write is later than all that was observed before.
    if let write = writes[number], write.machine == machine, !write.isObserved {
      writes[number]?.past.formUnion(knowledge.all.subtracting([number]))
    }
    writes[number]?.isObserved = true
    let past = writes[number]?.past ?? []
    knowledge.all.formUnion(past)
    // All that the machine knew before gave way to this value.
    knowledge.replaced.formUnion(isFirst ? past : knowledge.all.subtracting([number]))
    knowledge.all.insert(number)
  }

  private func isRemoval(_ number: Int) -> Bool { writes[number]?.value == nil }

  // MARK: The end

  private func result() -> [HistoryViolation] {
    var violations = violations
    guard let first = finals.first else { return violations }
    if let other = finals.first(where: { $0.value != first.value }) {
      violations.append(
        HistoryViolation(
          .converges, key: key, at: position,
          "\(first.replica) has the value \(first.value ?? "none"), "
            + "\(other.replica) \(other.value ?? "none")"))
    }
    var checked = Set<String?>()
    for (replica, value) in finals where checked.insert(value).inserted {
      violations += loss(by: value, at: replica)
    }
    return violations
  }

  /// Returns a violation if a final value is one that a saved write knew and replaced.
  private func loss(by value: String?, at replica: HistoryEvent.Replica) -> [HistoryViolation] {
    let saved = writes.values.filter(\.isSaved)
    var replacing: [Write]
    if let value {
      guard let number = numbers[value], writes[number] != nil else {
        return [
          HistoryViolation(
            .invents, key: key, at: position,
            "\(replica) has the value \(value), which nobody wrote")
        ]
      }
      replacing = saved.filter { $0.past.contains(number) }
    } else {
      // Any removal may be the last one, and the absence at the beginning is before all writes.
      let explains = writes.values.contains { removal in
        removal.value == nil && !saved.contains { $0.past.contains(removal.number) }
      }
      if explains { return [] }
      replacing = saved
    }
    replacing.sort { $0.number < $1.number }
    guard let last = replacing.last(where: \.isUploaded) ?? replacing.last else { return [] }
    let rule: HistoryViolation.Rule =
      if last.value == nil { .keepsRemoved } else if last.isUploaded { .keepsUploaded } else {
        .keepsSaved
      }
    return [
      HistoryViolation(
        rule, key: key, at: position,
        "\(replica) has the value \(value ?? "none") after write \(last.number) "
          + "(\(last.value ?? "a removal")), which is later")
    ]
  }
}
