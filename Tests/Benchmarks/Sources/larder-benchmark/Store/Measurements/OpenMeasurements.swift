import Foundation
import Preferences
import PropertyList

/// Measures opening a large domain and reading a value in a new process, compared with Foundation.
enum OpenMeasurements {
  static func measure(_ workspace: StoreWorkspace, _ findings: inout Findings) throws {
    let sample = SampleDomain(count: 100_000)
    // A key in the middle of the domain favors no implementation.
    let index = sample.indices(of: .integer)[SampleDomain.rotation / 2]
    guard case .integer(let value) = SampleDomain.value(index) else { return }
    var names: [String] = []
    var contenders: [Contender] = []
    var processes: [[Double]] = []
    for (name, verb) in [("Larder", "open-larder"), ("Foundation", "open-foundation")] {
      let domain = "org.example.open.\(verb)"
      try workspace.write(sample.values, to: domain, as: .binary)
      let number = contenders.count
      names.append(name)
      processes.append([])
      contenders.append(
        Contender(name) {
          Terminal.show("open, \(name)")
          let (inside, whole) = try time(
            [verb, workspace.folder, domain, SampleDomain.key(index)],
            expecting: value)
          processes[number].append(whole)
          return inside
        })
    }
    let timings = try takeTimes(of: contenders, rounds: workspace.isQuick ? 2 : 15)
    findings.addComparison("100000 keys, binary", timings) { _ in .atLeast(20) }

    // Discards the first round, as `takeTimes` does.
    let wholes = zip(names, processes).map { Timing(name: $0, samples: Array($1.dropFirst())) }
    findings.addComparison("the same, from start to exit of the process", wholes)
  }

  /// Runs a process that opens a domain.
  ///
  /// - Returns: The nanoseconds that it reports, and those from its start to its exit.
  private static func time(
    _ arguments: [String], expecting value: Int64
  ) throws -> (inside: Double, whole: Double) {
    let start = Clock.wall.nanoseconds
    let output = try ChildProcess(arguments).waitForOutput()
    let whole = Clock.wall.nanoseconds - start
    let words = output.split(whereSeparator: \.isWhitespace).map(String.init)
    guard words.count == 2, let inside = Double(words[0]), Int64(words[1]) == value else {
      throw BenchmarkError("\(arguments[0]) prints \(output); expected \(value)")
    }
    return (inside, Double(whole))
  }
}

/// The processes that open a domain, `<folder> <domain> <key>`, and print the nanoseconds until the
/// integer of the key was read, and the integer.
enum OpenProcess {
  static func larder(_ arguments: [String]) throws -> Int32 {
    try run(arguments) { try StoreWorkspace.larder($1, in: $0) }
  }

  static func foundation(_ arguments: [String]) throws -> Int32 {
    try run(arguments) { try StoreWorkspace.foundation($1) }
  }

  private static func run(
    _ arguments: [String], _ open: (String, String) throws -> some PreferencesReader
  ) throws -> Int32 {
    guard arguments.count == 3 else {
      throw UsageError("a folder, a domain and a key are required")
    }
    let start = Clock.wall.nanoseconds
    let value = try open(arguments[0], arguments[1]).integer(forKey: arguments[2])
    let end = Clock.wall.nanoseconds
    Terminal.print("\(end - start) \(value)")
    return 0
  }
}
