internal import Glibc

/// A process, distinguished from a later one with the same identifier.
package struct ProcessIdentity: Sendable {
  private let identifier: pid_t
  /// In clock ticks since the machine started; nil if unknown.
  private let startTime: UInt64?

  package static var current: ProcessIdentity {
    ProcessIdentity(identifier: getpid(), startTime: Status(of: getpid())?.startTime)
  }

  /// Whether the process is running. False for a zombie, true after it has replaced its program.
  package var isRunning: Bool {
    // If the parent had ended, this process would have another one.
    if getppid() == identifier { return true }
    if kill(identifier, 0) != 0, errno == ESRCH { return false }
    guard let startTime else { return true }
    guard let status = Status(of: identifier) else { return kill(identifier, 0) == 0 }
    return status.startTime == startTime && !status.hasEnded
  }

  /// A process as proc_pid_stat(5) describes it.
  private struct Status {
    var hasEnded: Bool
    var startTime: UInt64

    init?(of identifier: pid_t) {
      let file = open("/proc/\(identifier)/stat", O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return nil }
      defer { close(file) }
      let text = withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 1) { buffer in
        String(decoding: buffer.prefix(max(0, read(file, buffer.baseAddress, 1024))), as: UTF8.self)
      }
      // The program's name, in parentheses, may contain anything.
      guard let name = text.lastIndex(of: ")") else { return nil }
      let fields = text[text.index(after: name)...].split(separator: " ")
      // Fields 3, 20 and 22: the state, the number of threads, and the start time.
      guard fields.count > 19, let threads = Int(fields[17]), let time = UInt64(fields[19])
      else { return nil }
      // The main thread may have ended before the others.
      hasEnded = fields[0] == "X" || fields[0] == "Z" && threads <= 1
      startTime = time
    }
  }
}
