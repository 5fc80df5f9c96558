import Foundation

/// A program that runs at a terminal of its own, as it would in front of a person.
package final class PseudoTerminal {
  /// All that the terminal has shown so far, with what it echoed.
  package private(set) var output = ""
  private var bytes: [UInt8] = []
  /// How much of the output earlier expectations have passed.
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
  ///   - environment: The variables that it has besides those of the tests.
  ///   - columns: How wide the terminal is, in characters.
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
    // The first terminal that the leader of a session opens controls it.
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

  // The calls that C has for this, `posix_openpt` and the like, are not to be seen from here.

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

  /// Types text. A line ends with `\r`, as with the key Return.
  package func send(_ text: String) throws {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(terminal, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Failure(description: "cannot type \(text.debugDescription)") }
      rest = rest.dropFirst(count)
    }
  }

  /// Waits until the terminal shows a text behind what earlier expectations have passed.
  ///
  /// - Parameter seconds: How long to wait before the expectation fails.
  /// - Returns: What was shown before the text.
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
          description: "\(text.debugDescription) did not come; shown: \(output.debugDescription)")
      }
    }
  }

  /// Waits until the program has ended.
  ///
  /// - Returns: Its exit status, or 128 and the number of the signal that ended it.
  package func exitStatus(within seconds: Double = 60) throws -> Int32 {
    let deadline = Date(timeIntervalSinceNow: seconds)
    while try receive(until: deadline) {}
    if let status { return status }
    guard Date() < deadline else {
      throw Failure(description: "it did not end; shown: \(output.debugDescription)")
    }
    var raw: Int32 = 0
    while waitpid(process, &raw, 0) < 0, errno == EINTR {}
    let status = raw & 0x7F == 0 ? raw >> 8 & 0xFF : 128 + raw & 0x7F
    self.status = status
    return status
  }

  /// Takes what the terminal shows; false when that is over or the time is up.
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
      // EIO says that nobody has the terminal open any more.
      guard count > 0 else { return false }
      bytes += buffer.prefix(count)
      output = String(decoding: bytes, as: UTF8.self)
      return true
    }
  }
}
