import Glibc
import Preferences

/// Runs several workers and replaces those that end. It opens no tenant itself.
///
/// Each worker is a new program, started by fork and exec, that takes clients from the same socket.
/// The workers share the tenants' files: one worker's `add` is on disk before another reads, and a
/// value that one has `set` is visible to the others as soon as it is saved.
struct Supervisor {
  private let settings: Settings
  private let listener: Listener
  /// A pipe whose other end the workers have. They end when it is closed. A signal could reach a
  /// worker that has just been started and does not handle it yet.
  private var lifeline: (read: Int32, write: Int32) = (-1, -1)
  /// When each worker was started, by its process.
  private var workers: [pid_t: ContinuousClock.Instant] = [:]
  /// No worker is started before this time if one has ended right after its start.
  private var nextStart = ContinuousClock.now

  init(_ settings: Settings, _ listener: Listener) {
    self.settings = settings
    self.listener = listener
  }

  /// Runs workers until a signal ends the process, and waits for them.
  ///
  /// - Throws: An error if a worker could not save everything.
  mutating func run(whenReady: () -> Void) throws {
    let signals = TerminationSignals([SIGTERM, SIGINT, SIGHUP, SIGCHLD])
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0, fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0,
      fcntl(listener.descriptor, F_SETFD, 0) == 0
    else { throw Failure(system: "pipe") }
    lifeline = (ends[0], ends[1])
    try startMissing()
    Log.say("supervising")
    whenReady()

    var isStopping = false
    var hasFailure = false
    while !isStopping || !workers.isEmpty {
      switch signals.wait(timeout: .seconds(1)) {
      case SIGHUP?: for worker in workers.keys { kill(worker, SIGHUP) }
      case SIGCHLD?, nil: break
      case _? where !isStopping:
        isStopping = true
        close(lifeline.write)
      case _?: break
      }
      // One signal may stand for several workers that have ended.
      while let (worker, status) = nextEnded() {
        Log.say("worker \(worker) has ended: \(text(status))")
        if isStopping { hasFailure = hasFailure || status != 0 }
        let start = workers.removeValue(forKey: worker)
        if let start, .now - start < .seconds(1) { nextStart = .now + .seconds(1) }
      }
      if !isStopping { try startMissing() }
    }
    if hasFailure { throw Failure("a worker has not saved everything") }
  }

  private mutating func startMissing() throws {
    while workers.count < settings.workers, nextStart <= .now {
      let worker = try start()
      workers[worker] = .now
      Log.say("worker \(worker) started")
    }
  }

  /// Starts a worker with the settings of this process, and the socket.
  private func start() throws -> pid_t {
    let arguments =
      CommandLine.arguments + ["--listener=\(listener.descriptor)", "--lifeline=\(lifeline.read)"]
    let words = arguments.map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    let process = try Daemon.fork()
    if process == 0 {
      // The worker notices the end of its lifeline in any case, and reads all files when it starts.
      for number in [SIGTERM, SIGINT, SIGHUP] { signal(number, SIG_IGN) }
      execv("/proc/self/exe", words)
      _ = words[0].map { execv($0, words) }
      _exit(127)
    }
    return process
  }

  private func nextEnded() -> (pid_t, Int32)? {
    var status: Int32 = 0
    let worker = waitpid(-1, &status, WNOHANG)
    return worker > 0 ? (worker, status) : nil
  }

  private func text(_ status: Int32) -> String {
    status & 0x7F == 0 ? "exit \(status >> 8 & 0xFF)" : "signal \(status & 0x7F)"
  }
}
