import Foundation

/// A program that runs in a terminal, as it does for a user.
package final class PseudoTerminal {
  /// All output of the terminal so far, including echoed input.
  package private(set) var output = ""
  private var bytes: [UInt8] = []
  /// The number of bytes that earlier expectations have matched.
  private var passed = 0
  private let terminal: Int32
  private let process: pid_t
  private var status: Int32?

  /// An expectation that was not met.
  package struct Failure: Error, CustomStringConvertible {
    package var description: String
  }

  /// Starts a program in a folder, as the leader of a session that the terminal controls.
  ///
  /// - Parameters:
  ///   - environment: Environment variables in addition to the test process's.
  ///   - columns: The width of the terminal, in characters.
  package init(
    _ program: String, _ arguments: [String], in folder: TemporaryFolder,
    environment: [String: String] = [:], columns: UInt16 = 80
  ) throws {
    terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (locked, number): (Int32, Int32) = (0, 0)
    guard terminal >= 0, ioctl(terminal, Self.setLock, &locked) == 0,
      ioctl(terminal, Self.getNumber, &number) == 0
    else { throw Failure(description: "no terminal: \(String(cString: strerror(errno)))") }
    let name = "/dev/pts/\(number)"
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // The first terminal that a session leader opens becomes the controlling terminal.
    posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)

    do {
      process = try ProcessStart.spawn(
        program, arguments, in: folder, environment: environment, actions: &actions,
        flags: Self.newSession)
    } catch {
      close(terminal)
      throw error
    }
  }

  // Glibc's module lacks `posix_openpt` and the related functions.

  /// `TIOCSPTLCK`
  private static let setLock: UInt = 0x4004_5431
  /// `TIOCGPTN`
  private static let getNumber: UInt = 0x8004_5430
  /// `POSIX_SPAWN_SETSID`
  private static let newSession: Int32 = 0x80

  deinit {
    if status == nil {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }
    close(terminal)
  }

  /// Types text. The Return key is `\r`.
  package func send(_ text: String) throws {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(terminal, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Failure(description: "cannot type \(text.debugDescription)") }
      rest = rest.dropFirst(count)
    }
  }

  /// Waits for a text in the output after the match of the previous expectation.
  ///
  /// - Parameter seconds: The expectation fails after this time.
  /// - Returns: The output before the text.
  @discardableResult
  package func expect(_ text: String, within seconds: Double = 60) throws -> String {
    let deadline = Date(timeIntervalSinceNow: seconds)
    let wanted = Array(text.utf8)
    while true {
      if let place = bytes[passed...].firstRange(of: wanted) {
        defer { passed = place.upperBound }
        return String(decoding: bytes[passed..<place.lowerBound], as: UTF8.self)
      }
      guard try receive(until: deadline) else {
        throw Failure(
          description:
            "no \(text.debugDescription) within \(seconds) s; output: \(output.debugDescription)")
      }
    }
  }

  /// Waits until the program has ended.
  ///
  /// - Returns: The exit status, or 128 plus the number of the signal that ended it.
  package func exitStatus(within seconds: Double = 60) throws -> Int32 {
    let deadline = Date(timeIntervalSinceNow: seconds)
    while try receive(until: deadline) {}
    if let status { return status }
    guard Date() < deadline else {
      throw Failure(
        description: "still running after \(seconds) s; output: \(output.debugDescription)")
    }
    var raw: Int32 = 0
    while waitpid(process, &raw, 0) < 0, errno == EINTR {}
    let status = raw & 0x7F == 0 ? raw >> 8 & 0xFF : 128 + raw & 0x7F
    self.status = status
    return status
  }

  /// Reads some output; returns false at its end or after the deadline.
  private func receive(until deadline: Date) throws -> Bool {
    while true {
      let left = deadline.timeIntervalSinceNow
      guard left > 0 else { return false }
      var poll = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
      let ready = Glibc.poll(&poll, 1, Int32(left * 1000) + 1)
      if ready < 0, errno == EINTR { continue }
      guard ready > 0 else { return false }
      var buffer = Array(repeating: UInt8(0), count: 4096)
      let count = read(terminal, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      // EIO means that no process has the terminal open any longer.
      guard count > 0 else { return false }
      bytes += buffer.prefix(count)
      output = String(decoding: bytes, as: UTF8.self)
      return true
    }
  }
}
