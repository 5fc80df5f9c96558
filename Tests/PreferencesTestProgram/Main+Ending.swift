import Foundation
import Preferences
import PropertyList

/// Ends of the process at times that are hard for the library.
extension Main {
  /// Lets only the end of the process save, which may take longer than the tests allow.
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

  /// `exit-in-update <kind>` sets the key `before` and begins an update, in which it prints `exiting`
  /// and ends the process.
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

  /// `exit-with-many <count> <milliseconds>` sets a key in numbered files, prints `exiting`, and ends
  /// the process, in which saving them may take that long.
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

  /// Waits for the process to end by another thread.
  func waitWithoutEnd() -> Never { while true { sleep(3600) } }

  /// `end-by-signal (thread|task|canceled)` runs tasks on all processors, sets a key, waits for a
  /// signal in a thread or task, saves, and ends.
  func endBySignal() throws {
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
    let isCanceled = arguments[0] == "canceled"
    let isDone = DispatchSemaphore(value: 0)
    Task {
      if isCanceled {
        try await withThrowingTaskGroup { group in
          group.addTask { try await PreferencesStore.flushWhenCanceled() }
          say("ready")
          await signals.next()
          group.cancelAll()
          try await group.waitForAll()
        }
      } else {
        say("ready")
        await signals.next()
        try await PreferencesStore.flushAll()
      }
      isDone.signal()
    }
    isDone.wait()
  }
}
