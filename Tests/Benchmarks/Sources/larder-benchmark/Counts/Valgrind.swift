import Foundation

/// Counts the instructions and allocations of a process with valgrind.
struct Valgrind {
  private let program: URL
  /// The path of its log.
  private let log: String

  init(folder: String) throws {
    guard let program = Executables.find("valgrind") else {
      throw BenchmarkError("valgrind is not installed: apt-get install valgrind")
    }
    self.program = program
    log = folder + "/valgrind.log"
  }

  /// Counts the instructions of this program for a command line, from start to exit.
  func instructions(_ arguments: [String]) throws -> Int {
    try count(
      "Collected :", ["--tool=callgrind", "--callgrind-out-file=/dev/null"], arguments)
  }

  /// Counts the allocations of this program for a command line, from start to exit.
  ///
  /// They vary by some hundreds, because objects are hashed by address: the result is the minimum
  /// of three runs.
  func allocations(_ arguments: [String]) throws -> Int {
    let counts = try (0..<3).map { _ in
      try count(
        "total heap usage:", ["--tool=memcheck", "--leak-check=no", "--undef-value-errors=no"],
        arguments)
    }
    return counts.min() ?? 0
  }

  /// Runs this program and returns the number behind a text in the log.
  private func count(_ text: String, _ options: [String], _ arguments: [String]) throws -> Int {
    let all = options + ["--log-file=\(log)", Executables.own.path] + arguments
    // Random hash seeds would change the counts from run to run.
    _ = try ChildProcess(
      all, of: program.path, environment: ["SWIFT_DETERMINISTIC_HASHING": "1"]
    ).waitForOutput()
    let lines = try String(contentsOfFile: log, encoding: .utf8)
    guard let range = lines.range(of: text) else {
      throw BenchmarkError("no \(text) in the output of valgrind")
    }
    let digits = lines[range.upperBound...].drop { $0 == " " }.prefix { $0.isNumber || $0 == "," }
    guard let number = Int(digits.filter(\.isNumber)) else {
      throw BenchmarkError("no number behind \(text) in the output of valgrind")
    }
    return number
  }
}
