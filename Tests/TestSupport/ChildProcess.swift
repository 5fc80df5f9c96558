package import Foundation
internal import Glibc
internal import Threading

/// A process with pipes, which ends with its last reference.
///
/// Unlike Foundation's, it shares no descriptor with other processes, so it need not wait for their
/// end.
package final class ChildProcess: Sendable {
  /// Where the process's output goes.
  package enum Output: Sendable {
    /// It is read from a pipe, and its errors go to this process's standard error.
    case pipe
    /// It is read from a pipe, and its errors are not kept.
    case pipeWithoutErrors
    /// It is added to a file, with its errors.
    case file(String)
  }

  package let identifier: pid_t
  private let input: Lock<Int32>
  private let output: Int32?
  private let hasEnded = Lock(false)

  package init(
    _ program: String, _ arguments: [String], in folder: TemporaryFolder, output: Output = .pipe
  ) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let (inputEnd, input) = try Self.pipe()
    defer { close(inputEnd) }
    posix_spawn_file_actions_adddup2(&actions, inputEnd, 0)
    var outputs: (Int32, Int32)?
    defer { if let outputs { close(outputs.1) } }
    switch output {
    case .pipe, .pipeWithoutErrors:
      let pair = try Self.pipe()
      outputs = pair
      posix_spawn_file_actions_adddup2(&actions, pair.1, 1)
      if case .pipeWithoutErrors = output {
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
      }
    case .file(let path):
      posix_spawn_file_actions_addopen(&actions, 1, path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
      posix_spawn_file_actions_adddup2(&actions, 1, 2)
    }
    self.input = Lock(input)
    self.output = outputs?.0
    identifier = try ProcessStart.spawn(
      program, arguments, in: folder, environment: [:], actions: &actions)
  }

  deinit {
    kill()
    if let output { close(output) }
  }

  /// Creates a pair of sockets, which no other process inherits.
  private static func pipe() throws -> (Int32, Int32) {
    var ends: [Int32] = [0, 0]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
    return (ends[0], ends[1])
  }

  /// Kills the process if it still runs, and waits for its end.
  package func kill() {
    hasEnded.withLock { hasEnded in
      if hasEnded { return }
      hasEnded = true
      Glibc.kill(identifier, SIGKILL)
      while waitpid(identifier, nil, 0) < 0 && errno == EINTR {}
    }
    closeInput()
  }

  /// Sends a signal, unless the process was killed.
  package func signal(_ number: Int32) {
    hasEnded.withLock { if !$0 { _ = Glibc.kill(identifier, number) } }
  }

  /// Writes a line to the input of the process, unless that has ended.
  package func write(_ line: String) {
    input.withLock { input in
      var rest = Array("\(line)\n".utf8)[...]
      while input >= 0 && !rest.isEmpty {
        let count = rest.withUnsafeBytes {
          send(input, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        if count < 0 && errno != EINTR { return }
        rest = rest.dropFirst(max(0, count))
      }
    }
  }

  /// Ends the input of the process.
  package func closeInput() {
    input.withLock { input in
      if input >= 0 { close(input) }
      input = -1
    }
  }

  /// Reads from the pipe, waiting for output; returns nil at its end.
  package func read() -> Data? {
    guard let output else { return nil }
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = Glibc.read(output, &buffer, buffer.count)
      if count > 0 { return Data(buffer[..<count]) }
      if count == 0 || errno != EINTR { return nil }
    }
  }
}
