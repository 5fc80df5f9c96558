import Foundation

/// A child process, by default of this program.
struct ChildProcess {
  /// The path of the program of this process.
  static let thisProgram = "/proc/self/exe"

  private let identifier: pid_t
  /// The read end of a pipe for its standard output.
  private let output: FileHandle

  /// Starts a process.
  ///
  /// - Parameters:
  ///   - arguments: The verb and what follows it.
  ///   - program: The path of the program.
  ///   - environment: Variables to add to this process's.
  init(
    _ arguments: [String], of program: String = thisProgram, environment: [String: String] = [:]
  ) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw BenchmarkError("no pipe: error \(errno)") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    var identifier: pid_t = 0
    let name = program == Self.thisProgram ? "larder-benchmark" : program
    let result = Self.withStrings([name] + arguments) { arguments in
      Self.withStrings(variables.map { "\($0.key)=\($0.value)" }) { environment in
        posix_spawn(&identifier, program, &actions, nil, arguments, environment)
      }
    }
    close(ends[1])
    output = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
    guard result == 0 else { throw BenchmarkError("\(name) does not start: error \(result)") }
    self.identifier = identifier
  }

  private static func withStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
  }

  /// Waits for the process to exit.
  ///
  /// - Returns: Its standard output.
  /// - Throws: An error if it failed.
  func waitForOutput() throws -> String {
    let data = try output.readToEnd() ?? Data()
    var status: Int32 = 0
    while waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
    guard status == 0 else {
      let end =
        status & 0x7F == 0
        ? "exited with status \(status >> 8)" : "ended by signal \(status & 0x7F)"
      throw BenchmarkError("a process \(end)")
    }
    return String(decoding: data, as: UTF8.self)
  }
}
