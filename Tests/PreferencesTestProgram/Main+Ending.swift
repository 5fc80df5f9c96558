import Foundation
import Preferences
import PropertyList

/// Ends of the process at times that are hard for the library.
extension Main {
  /// Makes sure that only the end of the process saves, which may take longer than the tests allow.
  private func leaveSavingToExit() {
    PreferencesStore.runtimeConfiguration.commitDelay = .seconds(3600)
    PreferencesStore.runtimeConfiguration.exitFlushTimeout = .seconds(10)
  }

  /// Updates the store by the call that blocks (`blocking`), or by the one that a task waits for
  /// (`awaited`).
  func update(
    _ kind: String, _ body: @escaping @Sendable (inout PlistDictionary) throws -> Void
  ) throws {
    if kind == "blocking" { return try store.update(body) }
    try result(within: .seconds(60)) { try await store.update(body) }?.get()
  }

  /// `exit-in-update <kind>` sets the key `before` and begins an update, which prints `exiting` and
  /// ends the process.
  func exitInUpdate() throws {
    leaveSavingToExit()
    store.set(true, forKey: "before")
    try update(arguments[0]) { values in
      values["edit"] = true
      say("exiting")
      exit(0)
    }
  }

  /// `exit-in-handler <kind>` sets the key `key` of a file that cannot be saved. The handler of the
  /// failure replaces the file with an empty property list, prints `exiting` and ends the process.
  func exitInHandler() {
    PreferencesStore.runtimeConfiguration.exitFlushTimeout = .seconds(10)
    let observation = onFirstFailure(arguments[0]) { _ in
      do {
        let empty = try Plist.write([:], as: .xml)
        try empty.write(to: URL(fileURLWithPath: path), options: .atomic)
      } catch {
        Self.fail("\(error)")
      }
      say("exiting")
      exit(0)
    }
    store.set(true, forKey: "key")
    withExtendedLifetime(observation) { waitWithoutEnd() }
  }

  /// `exit-with-many <count> <milliseconds>` sets a key in numbered files, prints `exiting`, and
  /// ends the process. Saving them may take that long.
  func exitWithMany() {
    PreferencesStore.runtimeConfiguration.commitDelay = .seconds(3600)
    PreferencesStore.runtimeConfiguration.exitFlushTimeout = .milliseconds(number(1))
    PreferencesStore.runtimeConfiguration.printsFailures = true
    for index in 0..<number(0) {
      PreferencesStore(fileAt: "\(path)-\(index)").set(index, forKey: "key")
    }
    say("exiting")
    exit(0)
  }

  /// Waits until another thread ends the process.
  func waitWithoutEnd() -> Never { while true { sleep(3600) } }

  /// `end-by-signal (thread|task) (blocked|unblocked)` runs tasks on all processors, sets a key, waits
  /// for a signal in a thread or task, saves, and ends. The signals are blocked or not from the start.
  func endBySignal() throws {
    Self.setMask(blocking: arguments[1] == "blocked" ? [SIGTERM, SIGINT] : [])
    PreferencesStore.runtimeConfiguration.commitDelay = .seconds(3600)
    PreferencesStore.runtimeConfiguration.exitFlushTimeout = .zero
    for _ in 0..<4 {
      Task.detached { while true { try await Task.sleep(for: .milliseconds(1)) } }
    }
    usleep(50_000)
    let signals = TerminationSignals()
    store.set("saved", forKey: "k")
    guard arguments[0] != "thread" else {
      say("ready")
      signals.wait()
      return try PreferencesStore.flushAll()
    }
    let isDone = DispatchSemaphore(value: 0)
    Task {
      say("ready")
      await signals.next()
      try await PreferencesStore.flushAll()
      isDone.signal()
    }
    isDone.wait()
  }

  /// Blocks exactly these signals in this thread, because the signal mask is inherited from the
  /// parent process.
  private static func setMask(blocking signals: [Int32]) {
    var mask = sigset_t()
    sigemptyset(&mask)
    for signal in signals { sigaddset(&mask, signal) }
    pthread_sigmask(SIG_SETMASK, &mask, nil)
  }

  /// `end-children-by-signal` takes signals, sends one to a forked child, to one that takes it itself,
  /// and to another program, and prints how each has ended.
  func endChildrenBySignal() {
    Self.setMask(blocking: [])
    let signals = TerminationSignals()
    func end(of child: pid_t) -> String {
      var status: Int32 = 0
      while waitpid(child, &status, 0) < 0 {}
      return status & 0x7F == 0 ? "exit \(status >> 8 & 0xFF)" : "signal \(status & 0x7F)"
    }
    let child = Self.fork()
    if child == 0 { waitWithoutEnd() }
    kill(child, SIGTERM)
    say("child: \(end(of: child))")

    let other = Self.fork()
    if other == 0 {
      let own = TerminationSignals()
      kill(getpid(), SIGTERM)
      _exit(own.wait() ?? 0)
    }
    say("child that takes it: \(end(of: other))")

    var program = pid_t()
    var words = [strdup("sh"), strdup("-c"), strdup("kill -TERM $$"), nil]
    posix_spawn(&program, "/bin/sh", nil, nil, &words, nil)
    say("program: \(end(of: program))")

    kill(getpid(), SIGINT)
    say("itself: \(signals.wait() ?? 0)")
  }
}
