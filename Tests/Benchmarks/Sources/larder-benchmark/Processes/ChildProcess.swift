import Foundation

/// Another process, of this program unless another one is named.
struct ChildProcess {
  /// The program that this process runs.
  static let thisProgram = "/proc/self/exe"

  let identifier: pid_t
  /// The end of a pipe from which its output comes; nil where it goes to where this one's does.
  private let output: FileHandle?

  /// Starts a process.
  ///
  /// - Parameters:
  ///   - arguments: The verb and what follows it.
  ///   - program: The path of the program.
  ///   - environment: Variables that it is to have beside those of this process.
  ///   - isRead: Whether its output is for this process.
  init(
    _ arguments: [String], of program: String = thisProgram, environment: [String: String] = [:],
    isRead: Bool
  ) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }

    // It gets the signals that this process may be keeping from itself.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

    var ends: [Int32] = [-1, -1]
    if isRead {
      guard pipe(&ends) == 0 else { throw BenchmarkError("no pipe: error \(errno)") }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    }
    let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    var identifier: pid_t = 0
    let name = program == Self.thisProgram ? "larder-benchmark" : program
    let result = Self.withStrings([name] + arguments) { arguments in
      Self.withStrings(variables.map { "\($0.key)=\($0.value)" }) { environment in
        posix_spawn(&identifier, program, &actions, &attributes, arguments, environment)
      }
    }
    if isRead { close(ends[1]) }
    output = isRead ? FileHandle(fileDescriptor: ends[0], closeOnDealloc: true) : nil
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

  /// Waits until it ends.
  ///
  /// - Returns: Its exit status, with 128 added to a signal that ended it.
  func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
  }

  /// Waits until it ends.
  ///
  /// - Returns: What it has printed.
  /// - Throws: An error when it failed.
  func waitForOutput() throws -> String {
    let data = try output?.readToEnd() ?? Data()
    let status = wait()
    guard status == 0 else { throw BenchmarkError("a process ended with status \(status)") }
    return String(decoding: data, as: UTF8.self)
  }
}
