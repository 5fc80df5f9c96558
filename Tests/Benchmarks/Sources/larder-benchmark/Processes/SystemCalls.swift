import Foundation

/// The system calls of a process, as strace counts them.
struct SystemCalls {
  /// Their number in all threads.
  var count = 0
  /// The number of threads that the process created.
  var threads = 0

  /// Counts the system calls of a program, from start to exit.
  ///
  /// - Parameter log: The path of a temporary file.
  static func count(_ arguments: [String], of program: String, log: String) throws -> SystemCalls {
    guard let strace = Executables.find("strace") else {
      throw BenchmarkError("strace is not installed: apt-get install strace")
    }
    _ = try ChildProcess(
      ["-f", "-qq", "-o", log, program] + arguments, of: strace.path
    ).waitForOutput()
    var calls = SystemCalls()
    for line in try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n") {
      // "1234 openat(…) = 3"; other lines are signals and the ends of interrupted calls.
      let text = line.drop { $0.isNumber || $0 == " " }
      let name = text.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      guard !name.isEmpty, text.dropFirst(name.count).first == "(" else { continue }
      calls.count += 1
      if name.hasPrefix("clone") { calls.threads += 1 }
    }
    return calls
  }
}
