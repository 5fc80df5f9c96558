import Foundation
import Preferences
import PropertyList
import Synchronization

/// Measures the time until an observer in an idle process is notified of changes of another
/// process.
enum ChangeMeasurements {
  private static let key = "NSChangeSeenByOthers"

  /// The notifications of an observer with their times.
  private final class Log: Sendable {
    let entries = Mutex<[(value: Int, time: Int)]>([])
  }

  static func measure(_ workspace: StoreWorkspace, _ findings: inout Findings) throws {
    Terminal.show("change")
    let count = workspace.isQuick ? 50 : 1_000
    let domain = "org.example.change"
    try workspace.write(SampleDomain(count: 40).values, to: domain)
    let store = try workspace.larder(domain)
    let log = Log()
    let observation = store.observe(key) { change in
      let time = Clock.wall.nanoseconds
      guard case .integer(let value)? = change.newValue else { return }
      log.entries.withLock { $0.append((Int(value), time)) }
    }
    defer { observation.cancel() }

    let output = try ChildProcess(
      ["save-changes", workspace.folder, domain, key, String(count)]).waitForOutput()
    let changes = try output.split(separator: "\n").map(ChangeWriter.Change.init)
    try ensure(changes.count == count, "only \(changes.count) of \(count) changes were committed")
    let isLastSeen = waitForValue(count, in: log)

    findings.add(
      "the last of \(count) values", Timing(name: "times seen", samples: [isLastSeen ? 1 : 0]),
      unit: .count, .atLeast(1))
    let seen = log.entries.withLock { $0 }
    for (name, start) in [
      ("since before flush", \ChangeWriter.Change.before), ("since after flush", \.after),
    ] {
      add(name, latencies(of: changes, since: start, seen), to: &findings)
    }
    findings.add(
      "calls for \(count) changes", Timing(name: "Larder", samples: [Double(seen.count)]),
      unit: .count)
  }

  /// Waits up to five seconds for a value.
  private static func waitForValue(_ value: Int, in log: Log) -> Bool {
    for _ in 0..<500 {
      if log.entries.withLock({ $0.last?.value == value }) { return true }
      usleep(10_000)
    }
    return false
  }

  /// Returns the time until each value, or a later one, was observed; infinity if it never was.
  private static func latencies(
    of changes: [ChangeWriter.Change], since start: KeyPath<ChangeWriter.Change, Int>,
    _ seen: [(value: Int, time: Int)]
  ) -> [Double] {
    var rest = seen[...]
    return changes.map { change in
      rest = rest.drop { $0.value < change.value }
      return rest.first.map { Double($0.time - change[keyPath: start]) } ?? .infinity
    }
  }

  private static func add(_ name: String, _ latencies: [Double], to findings: inout Findings) {
    let timing = Timing(name: "Larder", samples: latencies)
    findings.add("a change, \(name)", timing, .atMost(50e6))
    let late = Timing(name: "99 % of them", samples: [timing.quantile(0.99)])
    findings.add("a change, \(name)", late, .atMost(250e6))
    let last = Timing(name: "all of them", samples: [timing.quantile(1)])
    findings.add("a change, \(name)", last)
  }
}

/// The process that commits changes, `<folder> <domain> <key> <count>`: increasing numbers, one
/// every 5 to 10 milliseconds. At the end it prints them with the times before and after each
/// flush.
enum ChangeWriter {
  struct Change {
    var value: Int
    var before: Int
    var after: Int
  }

  static func run(_ arguments: [String]) throws -> Int32 {
    guard arguments.count == 4, let count = Int(arguments[3]) else {
      throw UsageError("a folder, a domain, a key and a count are required")
    }
    let parent = getppid()
    let store = try StoreWorkspace.larder(arguments[1], in: arguments[0])
    var changes: [Change] = []
    for value in 1...count {
      usleep(UInt32(5_000 + value * 7919 % 5_000))
      // The parent may have exited and removed the folder.
      guard getppid() == parent else { return 1 }
      store.set(value, forKey: arguments[2])
      let before = Clock.wall.nanoseconds
      try store.flush()
      changes.append(Change(value: value, before: before, after: Clock.wall.nanoseconds))
    }
    for change in changes { Terminal.print("\(change.value) \(change.before) \(change.after)") }
    return 0
  }
}

extension ChangeWriter.Change {
  /// Parses a line that the process printed.
  fileprivate init(_ line: Substring) throws {
    let numbers = line.split(separator: " ").compactMap { Int($0) }
    guard numbers.count == 3 else { throw BenchmarkError("malformed change: \(line)") }
    self.init(value: numbers[0], before: numbers[1], after: numbers[2])
  }
}
