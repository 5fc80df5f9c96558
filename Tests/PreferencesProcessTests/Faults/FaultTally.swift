import Foundation
import Testing
import Threading

/// The number of faults that a test has injected, and their results.
struct FaultTally: Sendable {
  /// Faults of any kind: failed calls, kills, crashes, damaged files, interfering writers.
  var injected = 0
  /// Writes that were reported as saved.
  var acknowledged = 0
  /// Acknowledged writes that were not there afterwards.
  var lost = 0
  /// Files that held neither the old values nor the new ones.
  var unreadable = 0
  /// Temporary files that were left although no process used them any longer.
  var stray = 0
  /// Descriptions of what went wrong, and where.
  var complaints: [String] = []

  static func += (left: inout FaultTally, right: FaultTally) {
    left.injected += right.injected
    left.acknowledged += right.acknowledged
    left.lost += right.lost
    left.unreadable += right.unreadable
    left.stray += right.stray
    left.complaints += right.complaints
  }

  /// Expects that nothing went wrong, and adds the figures to the report for which
  /// `make faults` asks, a file of lines with fields between tabs.
  func finish(_ title: String, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(injected > 0, "nothing was injected", sourceLocation: sourceLocation)
    #expect(
      complaints.isEmpty && lost == 0 && unreadable == 0 && stray == 0,
      "\(complaints.count) complaints, the first of them: \(complaints.prefix(10).joined(separator: "\n"))",
      sourceLocation: sourceLocation)
    guard let path = ProcessInfo.processInfo.environment["LARDER_FAULT_REPORT"] else { return }
    let figures = [injected, acknowledged, lost, unreadable, stray].map(String.init)
    let line = ([title] + figures).joined(separator: "\t") + "\n"
    // A single write in append mode is not mixed with what other tests write.
    let file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(file) }
    #expect(write(file, line, line.utf8.count) == line.utf8.count)
  }

  /// Adds up what a closure finds for each element, in two threads.
  static func sum<Element: Sendable>(
    over elements: [Element], _ body: @escaping @Sendable (Element) throws -> FaultTally
  ) -> FaultTally {
    let state = Lock((next: 0, tally: FaultTally()))
    DispatchQueue.concurrentPerform(iterations: 2) { _ in
      while true {
        let index = state.withLock { state in
          defer { state.next += 1 }
          return state.next
        }
        guard index < elements.count else { return }
        var found = FaultTally()
        do {
          found = try body(elements[index])
        } catch {
          found.complaints.append("\(elements[index]): \(error)")
        }
        state.withLock { [found] in $0.tally += found }
      }
    }
    return state.withLock { $0.tally }
  }
}
