internal import Glibc

/// A process, told apart from a later one that gets the same identifier.
package struct ProcessIdentity: Sendable {
  private let identifier: pid_t
  /// When the process was started, in ticks since the machine was; nil if unknown.
  private let startTime: UInt64?

  /// The calling process.
  package static var current: ProcessIdentity {
    ProcessIdentity(identifier: getpid(), startTime: Status(of: getpid())?.startTime)
  }

  /// Whether the process is running. One that has ended is not, even if nobody has waited for it;
  /// one that runs another program by now is.
  package var isRunning: Bool {
    // A process whose parent ends gets another one.
    if getppid() == identifier { return true }
    if kill(identifier, 0) != 0, errno == ESRCH { return false }
    guard let startTime else { return true }
    guard let status = Status(of: identifier) else { return kill(identifier, 0) == 0 }
    return status.startTime == startTime && !status.hasEnded
  }

  /// The status of a process, as in proc_pid_stat(5).
  private struct Status {
    var hasEnded: Bool
    var startTime: UInt64

    /// Nil if that cannot be read.
    init?(of identifier: pid_t) {
      let file = open("/proc/\(identifier)/stat", O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return nil }
      defer { close(file) }
      let text = withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 1) { buffer in
        String(decoding: buffer.prefix(max(0, read(file, buffer.baseAddress, 1024))), as: UTF8.self)
      }
      // The name of the program, in parentheses, may hold anything.
      guard let name = text.lastIndex(of: ")") else { return nil }
      let fields = text[text.index(after: name)...].split(separator: " ")
      // Fields 3, 20 and 22: the state, the number of threads, and the start time.
      guard fields.count > 19, let threads = Int(fields[17]), let time = UInt64(fields[19]) else {
        return nil
      }
      // The main thread may have ended before the others.
      hasEnded = fields[0] == "X" || fields[0] == "Z" && threads <= 1
      startTime = time
    }
  }
}
