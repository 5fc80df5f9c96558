import Foundation
import Preferences
import PropertyList

/// Files that are hard to read.
extension Main {
  /// `set-later <key> <value>` reads all values, prints `read`, waits for a line, and sets and saves
  /// a key.
  func setLater() throws {
    _ = store.plistRepresentation
    say("read")
    waitForLine()
    store.set(arguments[1], forKey: arguments[0])
    try store.flush()
  }

  /// `set-if-missing <key> <value> [without-descriptors]` sets a key if it has no value, and prints
  /// the problems of the store, whether the key was set, and the error of saving another key. Then
  /// it waits until the key has a value, prints that, and saves.
  ///
  /// Without descriptors, no file can be opened until the value is waited for.
  func setIfMissing() throws {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    getrlimit(resource, &limit)
    let isLimited = arguments.count > 2
    if isLimited {
      var none = rlimit(rlim_cur: 3, rlim_max: limit.rlim_max)
      setrlimit(resource, &none)
    }
    say(store.problems.map(\.description).joined(separator: ", "))
    let isSet = store.replaceOwnValue(nil, with: .string(arguments[1]), forKey: arguments[0])
    say(isSet ? "set" : "refused")
    store.set("x", forKey: "other")
    do {
      if isLimited { try store.flush() }
      say("")
    } catch {
      say("\(error)")
    }
    if isLimited { setrlimit(resource, &limit) }
    while store.string(forKey: arguments[0]) == nil { usleep(1000) }
    say(store.string(forKey: arguments[0])!)
    try store.flush()
  }

  /// `set-and-wait <key> <value> <seconds>` sets and saves a key, and lives on for some time.
  func setAndWait() throws {
    try set()
    sleep(UInt32(number(2)))
  }

  /// `print-value <key>` prints the value of a key, or the problems of the store.
  func printValue() {
    say(
      store.string(forKey: arguments[0])
        ?? store.problems.map(\.description).joined(separator: ", "))
  }

  /// `print-folder -` prints the folder to which the user's preferences are saved.
  func printFolder() {
    say(DomainLocations.standard.user)
  }
}
