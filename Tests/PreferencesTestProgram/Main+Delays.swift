import Foundation
import Preferences

/// When changes are saved in the background.
extension Main {
  /// `set-after-failures <count>` sets a key of a file that cannot be saved, prints `failed` after
  /// that many attempts to save it, waits for a line, and saves. It sets the key again, prints the
  /// age of the oldest unsaved change in milliseconds, and the time until the value is in the file.
  func setAfterFailures() throws {
    store.set("first", forKey: "key")
    while PreferencesStore.statistics.commits.failureCount < number(0) { usleep(1000) }
    say("failed")
    waitForLine()
    try store.flush()
    store.set("second", forKey: "key")
    // It may be saved already.
    let age = PreferencesStore.statistics.oldestUnsavedAge ?? .zero
    say("\(Int(age / .milliseconds(1)))")
    sayTimeUntilSaved("second")
  }

  /// `lower-delay <when>` sets a key while saving in the background is a minute away, and lowers that
  /// to 50 milliseconds: at once (`scheduled`), or after it has saved, before it sets the key again
  /// (`flushed`). It prints the time in milliseconds until the value is in the file.
  func lowerDelay() throws {
    PreferencesStore.runtimeConfiguration.commitDelay = .seconds(60)
    store.set("first", forKey: "key")
    let isFlushed = arguments[0] == "flushed"
    if isFlushed { try store.flush() }
    PreferencesStore.runtimeConfiguration.commitDelay = .milliseconds(50)
    if isFlushed { store.set("second", forKey: "key") }
    sayTimeUntilSaved(isFlushed ? "second" : "first")
  }

  /// Waits until a text is in the file, for 10 seconds at most, and prints the milliseconds.
  private func sayTimeUntilSaved(_ text: String) {
    let start = ContinuousClock.now
    while .now - start < .seconds(10) {
      let data = (try? Data(contentsOf: URL(fileURLWithPath: path))) ?? Data()
      if data.range(of: Data(text.utf8)) != nil { break }
      usleep(1000)
    }
    say("\(Int((.now - start) / .milliseconds(1)))")
  }
}
