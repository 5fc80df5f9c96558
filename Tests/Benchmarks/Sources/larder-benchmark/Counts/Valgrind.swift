import Foundation

/// valgrind, which counts the instructions and the allocations of a process.
struct Valgrind {
  private let program: URL
  /// Where it writes what it counts.
  private let log: String

  init(folder: String) throws {
    guard let program = Executables.find("valgrind") else {
      throw BenchmarkError("valgrind is not installed: apt-get install valgrind")
    }
    self.program = program
    log = folder + "/valgrind.log"
  }

  /// The instructions that this program takes for a command line, from start to end.
  func instructions(_ arguments: [String]) throws -> Int {
    try count(
      "Collected :", ["--tool=callgrind", "--callgrind-out-file=/dev/null"], arguments)
  }

  /// The allocations that this program makes for a command line, from start to end.
  ///
  /// They differ by some hundreds with the addresses that the process gets, by which objects are hashed:
  /// the least of three runs counts.
  func allocations(_ arguments: [String]) throws -> Int {
    let counts = try (0..<3).map { _ in
      try count(
        "total heap usage:", ["--tool=memcheck", "--leak-check=no", "--undef-value-errors=no"],
        arguments)
    }
    return counts.min() ?? 0
  }

  /// Runs this program and finds the number that follows a text in the log.
  private func count(_ text: String, _ options: [String], _ arguments: [String]) throws -> Int {
    let all = options + ["--log-file=\(log)", Executables.own.path] + arguments
    // Hashes that differ from run to run would make for different counts.
    _ = try ChildProcess(
      all, of: program.path, environment: ["SWIFT_DETERMINISTIC_HASHING": "1"], isRead: true
    ).waitForOutput()
    let lines = try String(contentsOfFile: log, encoding: .utf8)
    guard let range = lines.range(of: text) else {
      throw BenchmarkError("valgrind does not tell: \(text)")
    }
    let digits = lines[range.upperBound...].drop { $0 == " " }.prefix { $0.isNumber || $0 == "," }
    guard let number = Int(digits.filter(\.isNumber)) else {
      throw BenchmarkError("valgrind tells no number: \(text)")
    }
    return number
  }
}
