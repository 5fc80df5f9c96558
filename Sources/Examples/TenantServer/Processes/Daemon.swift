import Glibc

/// A server that has left the terminal. The command that started it returns when clients can
/// connect, or when that has failed.
struct Daemon {
  /// The pipe that the command waits on.
  private let starter: Int32
  private let pidFile: String

  /// Continues in a child process, in a session without a terminal; the calling process ends.
  ///
  /// - Parameter pidFile: The path of a file that gets the number of the process, and is locked.
  init(pidFile: String) throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0, fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0 else {
      throw Failure(system: "pipe")
    }
    if try Self.fork() > 0 {
      close(ends[1])
      var byte: UInt8 = 1
      _exit(read(ends[0], &byte, 1) == 1 ? 0 : 1)
    }
    close(ends[0])
    setsid()
    // No process leads this session, so none can get a terminal.
    if try Self.fork() > 0 { _exit(0) }
    starter = ends[1]
    self.pidFile = pidFile
    try writePIDFile()
  }

  /// Calls `fork`, which Swift marks as unavailable, since most libraries do not work in the child.
  /// Larder does: the child may use stores that the parent has opened.
  ///
  /// - Returns: 0 in the child, its process in the parent.
  static func fork() throws -> pid_t {
    let process = unsafeBitCast(dlsym(nil, "fork"), to: (@convention(c) () -> pid_t).self)()
    guard process >= 0 else { throw Failure(system: "fork") }
    return process
  }

  /// Writes the number of the process. The lock, which ends with the process, prevents a second
  /// server.
  private func writePIDFile() throws {
    let file = open(pidFile, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw Failure(system: pidFile) }
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
      throw Failure("\(pidFile): another server is running")
    }
    let text = Array("\(getpid())\n".utf8)
    guard ftruncate(file, 0) == 0, write(file, text, text.count) == text.count else {
      throw Failure(system: pidFile)
    }
  }

  /// Lets the command that started the server return, and closes its standard streams.
  func reportReady() {
    let null = open("/dev/null", O_RDWR)
    for stream in 0...2 where null >= 0 { dup2(null, Int32(stream)) }
    var byte: UInt8 = 1
    write(starter, &byte, 1)
    close(starter)
  }

  /// Removes the file with the number of the process.
  func end() { unlink(pidFile) }
}
