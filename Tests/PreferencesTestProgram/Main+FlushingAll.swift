import Foundation
import Preferences
import PropertyList
import Synchronization

/// Calls that save all stores while one of them is being saved.
extension Main {
  /// Saves all stores, and prints the error and the time in milliseconds.
  private func flushAllAndReport() {
    let start = ContinuousClock.now
    do {
      try PreferencesStore.flushAll(timeout: .seconds(10))
      say("saved")
    } catch {
      say("\(error)")
    }
    say("\(Int((.now - start) / .milliseconds(1)))")
  }

  /// `flush-all-in-update <kind>` sets the key `before`, and `key` in a file whose path ends with
  /// `-other`. It saves all stores within an update, prints the error, the time in milliseconds and
  /// whether the other file exists, and ends the update, which sets the key `edit`.
  func flushAllInUpdate() throws {
    PreferencesStore.runtimeConfiguration.commitDelay = .seconds(3600)
    store.set(true, forKey: "before")
    PreferencesStore(fileAt: path + "-other").set(true, forKey: "key")
    try update(arguments[0]) { values in
      values["edit"] = true
      flushAllAndReport()
      say("\(FileManager.default.fileExists(atPath: path + "-other"))")
    }
  }

  /// `flush-all-in-handler <kind>` sets a key of a file that cannot be saved. The handler of the
  /// failure saves all stores, and prints the error and the time in milliseconds.
  func flushAllInHandler() {
    let observation = onFirstFailure(arguments[0]) { _ in
      flushAllAndReport()
      // An orderly exit would try again.
      _exit(0)
    }
    store.set(true, forKey: "key")
    withExtendedLifetime(observation) { waitWithoutEnd() }
  }

  /// Whether a save in the background has failed.
  private static let hasFailed = Atomic(false)

  /// Adds a handler of failures to save (`save-handler`), or of all events (`event-handler`), whose
  /// body is called only once.
  func onFirstFailure(
    _ kind: String, _ body: @escaping @Sendable (PreferencesError) -> Void
  ) -> PreferencesObservation {
    let handler: @Sendable (PreferencesError) -> Void = { error in
      if !Self.hasFailed.exchange(true, ordering: .relaxed) { body(error) }
    }
    if kind == "save-handler" { return store.onSaveFailure(handler) }
    return PreferencesStore.onEvent { event in
      if case .saveFailure(let error) = event { handler(error) }
    }
  }
}
