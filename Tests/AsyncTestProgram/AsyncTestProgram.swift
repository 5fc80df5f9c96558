import Glibc
import Preferences

/// A program with an asynchronous `main` that tests run as another process:
/// `AsyncTestProgram <file> <kind>`.
///
/// It runs tasks on all processors, takes signals, sets a key, prints `ready`, waits for a signal as the
/// kind says, saves, and ends. Nothing else saves the key.
@main
enum AsyncTestProgram {
  static func main() async throws {
    // The signal mask is inherited from the parent process.
    var mask = sigset_t()
    sigemptyset(&mask)
    pthread_sigmask(SIG_SETMASK, &mask, nil)
    PreferencesStore.runtimeConfiguration.commitDelay = .seconds(3600)
    PreferencesStore.runtimeConfiguration.exitFlushTimeout = .zero
    for _ in 0..<4 {
      Task.detached { while true { try await Task.sleep(for: .milliseconds(1)) } }
    }
    try await Task.sleep(for: .milliseconds(50))
    let signals = TerminationSignals()
    let store = PreferencesStore(fileAt: CommandLine.arguments[1])
    store.set("saved", forKey: "k")
    switch CommandLine.arguments[2] {
    case "signal":
      say("ready")
      await signals.next()
      try await PreferencesStore.flushAll()
    case "early-signal":
      // Nothing waits for it yet.
      kill(getpid(), SIGTERM)
      await signals.next()
      say("ready")
      await signals.next()
      try await PreferencesStore.flushAll()
    case "signal-after-cancellation":
      let canceled = Task { await signals.next() }
      canceled.cancel()
      guard await canceled.value == nil else { exit(2) }
      say("ready")
      await signals.next()
      try await PreferencesStore.flushAll()
    case "service":
      try await withThrowingTaskGroup { group in
        group.addTask { try await PreferencesStore.flushWhenCanceled() }
        say("ready")
        await signals.next()
        group.cancelAll()
        try await group.waitForAll()
      }
    default: exit(2)
    }
  }

  private static func say(_ line: String) {
    print(line)
    fflush(nil)
  }
}
