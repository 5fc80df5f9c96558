import Foundation
import Preferences
import PropertyList

/// Calls that save all stores, at times at which one of them is being saved.
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
}
