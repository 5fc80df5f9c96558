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

  /// `print-changes` prints the value of the key `k`, and each that it has later, until its input
  /// ends.
  func printChanges() {
    let token = store.observe("k", initial: true) { change in
      if case .string(let text)? = change.newValue { say(text) }
    }
    while readLine() != nil {}
    withExtendedLifetime(token) {}
  }

  /// `change-folder <folder>` changes the working folder, sets a key, and prints the error of
  /// saving it.
  func changeFolder() {
    guard chdir(arguments[0]) == 0 else { Main.fail("no folder") }
    store.set("x", forKey: "k")
    do {
      try store.flush()
      say("saved")
    } catch {
      say("\(error)")
    }
    _exit(0)
  }

  /// `wait-for-value <key> [without-descriptors]` prints the problems of the store and the error of
  /// saving another key. Then it waits until the key has a value, prints that, and saves.
  ///
  /// Without descriptors, no file can be opened until the value is waited for.
  func waitForValue() throws {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    getrlimit(resource, &limit)
    let isLimited = arguments.count > 1
    if isLimited {
      var none = rlimit(rlim_cur: 3, rlim_max: limit.rlim_max)
      setrlimit(resource, &none)
    }
    say(store.problems.map(\.description).joined(separator: ", "))
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

  /// `set-and-wait <key> <value> <seconds>` sets and saves a key, and lives on for some time,
  /// watching files.
  func setAndWait() throws {
    let observation = PreferencesStore.onEvent { _ in }
    try set()
    sleep(UInt32(number(2)))
    withExtendedLifetime(observation) {}
  }

  /// `read-in-update <key>` prints the value of a key within an update, while it becomes time to
  /// watch the file, and after it.
  func readInUpdate() throws {
    say(store.string(forKey: arguments[0]) ?? "-")
    try store.update { _ in
      usleep(300_000)
      say(store.string(forKey: arguments[0]) ?? "-")
    }
    say(store.string(forKey: arguments[0]) ?? "-")
  }

  /// `read-again <key>...` prints the values of the keys, and again for each line `again` that it
  /// reads, observing nothing.
  func readAgain() {
    repeat {
      say(arguments.map { store.string(forKey: $0) ?? "-" }.joined(separator: " "))
    } while readLine() == "again"
  }

  /// `print-value <key>` prints the value of a key, or the problems of the store.
  func printValue() {
    say(
      store.string(forKey: arguments[0])
        ?? store.problems.map(\.description).joined(separator: ", "))
  }

  /// `print-folder -` prints the folder where the user's preferences are saved.
  func printFolder() {
    say(DomainLocations.standard.user)
  }

  /// `follow-beside <other file>` reads both files, prints `ready`, and waits for a line. Then it
  /// sets the key `own` of both, the other one first, without a call that saves, prints each new
  /// value of the key `theirs`, and ends after the value `last`. It forks at each value.
  func followBeside() throws {
    let other = PreferencesStore(fileAt: arguments[0])
    var last = store.string(forKey: "theirs")
    _ = other.plistRepresentation
    say("ready")
    waitForLine()
    other.set("x", forKey: "own")
    store.set("x", forKey: "own")
    while last != "last" {
      let value = store.string(forKey: "theirs")
      if value == last {
        usleep(1000)
        continue
      }
      last = value
      say(value ?? "-")
      let child = Self.fork()
      if child == 0 { _exit(0) }
      var status: Int32 = 0
      while waitpid(child, &status, 0) < 0 {}
    }
    let new = PreferencesStore(fileAt: path + "-new")
    new.set("x", forKey: "own")
    try new.flush()
    say("new")
    while other.string(forKey: "theirs") != "last" { usleep(1000) }
    try other.flush()
  }

  /// `end-beside <other file>` reads both files, prints `ready`, waits for a line, sets the key `own`
  /// of both, and ends without a call that saves.
  func endBeside() {
    let other = PreferencesStore(fileAt: arguments[0])
    _ = (store.plistRepresentation, other.plistRepresentation)
    say("ready")
    waitForLine()
    other.set("x", forKey: "own")
    store.set("x", forKey: "own")
    exit(0)
  }
}
