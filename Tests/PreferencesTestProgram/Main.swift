import Foundation
import Preferences
import PropertyList

/// A program that tests run as other processes: `PreferencesTestProgram <file> <verb> <arguments>`.
///
/// It opens a store of the file and calls the function of the verb. The functions print a line when
/// they have done something that the test waits for, and read a line before they continue with
/// something that the test must prepare. An error is printed to standard error, and the exit status
/// is 1.
@main
struct Main {
  let store: PreferencesStore
  let path: String
  let arguments: [String]

  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count >= 2, let verb = verbs[arguments[1]] else {
      fail("usage: PreferencesTestProgram <file> <verb> <arguments>")
    }
    // The verbs print the errors that they expect.
    PreferencesStore.runtimeConfiguration.printsFailures = false
    let store = PreferencesStore(fileAt: arguments[0])
    do {
      try verb(
        Main(store: store, path: arguments[0], arguments: Array(arguments.dropFirst(2))))
    } catch {
      fail("\(error)")
    }
  }

  static func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    // An orderly exit would save unsaved values and hide the failure.
    _exit(1)
  }

  /// The functions by their verbs.
  private static let verbs: [String: @Sendable (Main) throws -> Void] = [
    "write-keys": { try $0.writeKeys() },
    "acknowledge-keys": { try $0.acknowledgeKeys() },
    "increment": { try $0.increment() },
    "acknowledge": { try $0.acknowledge() },
    "read-repeatedly": { try $0.readRepeatedly() },
    "overwrite": { try $0.overwrite() },
    "set": { try $0.set() },
    "flush-twice": { try $0.flushTwice() },
    "hold-lock": { try $0.holdLock() },
    "end": { $0.end() },
    "open-many": { try $0.openMany() },
    "daemonize": { try $0.daemonize() },
    "update-tenants": { try $0.updateTenants() },
    "serve-tenants": { try $0.serveTenants() },
    "measure-server": { try $0.measureServer() },
    "write-with-foundation": { $0.writeWithFoundation() },
    "set-repeatedly": { try $0.setRepeatedly() },
    "end-by-signal": { try $0.endBySignal() },
    "end-children-by-signal": { $0.endChildrenBySignal() },
    "use-everything": { try $0.useEverything() },
    "round-trip-in-locale": { try $0.roundTripInLocale() },
    "print-changes": { $0.printChanges() },
    "change-folder": { $0.changeFolder() },
    "toggle-watching": { try $0.toggleWatching() },
    "fork-observed": { try $0.forkObserved() },
    "fork-in-handler": { try $0.forkInHandler() },
    "flush-until-saved": { $0.flushUntilSaved() },
    "survive-kills": { try $0.surviveKills() },
    "flush-all": { try $0.flushAll() },
    "observe-many": { try $0.observeMany() },
    "set-later": { try $0.setLater() },
    "wait-for-value": { try $0.waitForValue() },
    "set-and-wait": { try $0.setAndWait() },
    "print-value": { $0.printValue() },
    "read-again": { $0.readAgain() },
    "read-in-update": { try $0.readInUpdate() },
    "print-folder": { $0.printFolder() },
    "follow-beside": { try $0.followBeside() },
    "end-beside": { $0.endBeside() },
    "end-after-parent": { try $0.endAfterParent() },
    "abandon": { try $0.abandon() },
    "fork-with-unsaved-changes": { try $0.forkWithUnsavedChanges() },
    "fork-in-update": { try $0.forkInUpdate() },
    "fork-beside-update": { try $0.forkBesideUpdate() },
    "fork-in-storm": { try $0.forkInStorm() },
    "set-without-thread": { try $0.setWithoutThread() },
    "watch-without-thread": { try $0.watchWithoutThread() },
    "poll-many": { $0.pollMany() },
    "fail": { $0.failSilently() },
    "report-many": { $0.reportMany() },
    "flush-in-tasks": { $0.flushInTasks() },
    "cancel-flush-all": { $0.cancelFlushAll() },
    "set-after-failures": { try $0.setAfterFailures() },
    "lower-delay": { try $0.lowerDelay() },
    "exit-in-update": { try $0.exitInUpdate() },
    "exit-in-handler": { $0.exitInHandler() },
    "exit-with-many": { $0.exitWithMany() },
    "flush-all-in-update": { try $0.flushAllInUpdate() },
    "flush-all-in-handler": { $0.flushAllInHandler() },
    "migrate": { try $0.migrate() },
    "migrate-together": { try $0.migrateTogether() },
    "set-migrated": { try $0.setMigrated() },
  ]

  /// The argument at an index as an integer.
  func number(_ index: Int) -> Int { Int(arguments[index])! }

  /// Prints a line for the test.
  func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }

  /// Waits for a line of the test, or the end of standard input.
  func waitForLine() { _ = readLine() }
}

extension Main {
  /// `write-keys <prefix> <count>` sets and saves keys, one at a time, however long other processes
  /// have the lock.
  func writeKeys() throws {
    for index in 0..<number(1) {
      store.set(index, forKey: arguments[0] + String(index))
      try flushPatiently()
    }
  }

  private func flushPatiently() throws(PreferencesError) {
    while true {
      do throws(PreferencesError) {
        return try store.flush()
      } catch .lockTimeout {}
    }
  }

  /// `acknowledge-keys <prefix> <count>` sets and saves keys, one at a time, and prints each key
  /// once it is saved, after as many attempts as that takes. Any failure other than losing to
  /// faster writers ends it.
  func acknowledgeKeys() throws {
    for index in 0..<number(1) {
      let key = arguments[0] + String(index)
      store.set(index, forKey: key)
      while try !flushed() {}
      say(key)
    }
  }

  /// Returns whether everything is saved; it is not if other writers were always faster.
  private func flushed() throws -> Bool {
    do {
      try store.flush()
      return true
    } catch {
      guard case .storage(_, let cause) = error, cause.code == EAGAIN else { throw error }
      return false
    }
  }

  /// `increment <times>` increments the key `count`, each time by an update.
  func increment() throws {
    for _ in 0..<number(0) {
      try store.update(timeout: .seconds(60)) { values in
        guard case .integer(let count)? = values["count"] ?? .integer(0) else { return }
        values["count"] = .integer(count + 1)
      }
    }
  }

  /// `acknowledge <prefix> [<count>]` sets and saves keys, without end unless there is a count, and
  /// prints each key once it is saved.
  func acknowledge() throws {
    for index in 0..<(arguments.count > 1 ? number(1) : .max) {
      let key = arguments[0] + String(index)
      store.set(String(repeating: "x", count: index % 3000), forKey: key)
      try store.flush()
      say(key)
    }
  }

  /// `read-repeatedly` prints `ready` and reads the file until standard input ends, then prints the
  /// number of reads. It fails if the file is ever incomplete or older than before.
  func readRepeatedly() throws {
    say("ready")
    let ended = NSConditionLock(condition: 0)
    Thread.detachNewThread {
      while readLine() != nil {}
      ended.lock()
      ended.unlock(withCondition: 1)
    }
    var reads = 0
    var highest: [String: Int64] = [:]
    while ended.condition == 0 || reads == 0 {
      let data = try Data(contentsOf: URL(fileURLWithPath: path))
      guard case .dictionary(let values) = try Plist.read(data).value, !values.isEmpty
      else { Self.fail("the file was empty") }
      guard case .integer(let count)? = values["count"] else { Self.fail("no count") }
      if count < highest["count", default: 0] { Self.fail("the count went back") }
      highest["count"] = count
      let store = PreferencesStore(fileAt: path)
      store.synchronize()
      guard store.problems.isEmpty else { Self.fail("\(store.problems)") }
      reads += 1
    }
    say("\(reads)")
  }

  /// `overwrite` reads the key `key`, prints `read`, waits for a line, and saves the same value.
  func overwrite() throws {
    let value = store.plistValue(forKey: "key")!
    say("read")
    waitForLine()
    store.set(value, forKey: "key")
    try store.flush()
  }

  /// `set <key> <value>` sets and saves a key.
  func set() throws {
    // After a failure nothing must be saved in the background while the process ends.
    PreferencesStore.runtimeConfiguration.commitDelay = .seconds(3600)
    store.set(arguments[1], forKey: arguments[0])
    try store.flush()
  }

  /// `flush-twice <key> <value>` sets and saves a key. If saving fails, it prints the error, saves
  /// once more, and prints `saved later`.
  func flushTwice() throws {
    store.set(arguments[1], forKey: arguments[0])
    do {
      try store.flush()
      say("saved")
    } catch {
      say("\(error)")
      try store.flush()
      say("saved later")
    }
  }

  /// `hold-lock` takes the lock of the file, prints `held`, and holds the lock until standard input
  /// ends.
  func holdLock() throws {
    try store.update { values in
      values["held"] = .boolean(true)
      say("held")
      while readLine() != nil {}
    }
  }

  /// `end <how>` sets a key and ends the process in the given way, without a call that saves.
  func end() {
    store.set(arguments[0], forKey: "end")
    switch arguments[0] {
    case "return": return
    case "exit": exit(0)
    case "terminate":
      // Like a server that waits for the signal on a thread.
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGTERM)
      pthread_sigmask(SIG_BLOCK, &signals, nil)
      kill(getpid(), SIGTERM)
      var received: Int32 = 0
      sigwait(&signals, &received)
      exit(received == SIGTERM ? 0 : 1)
    case "background":
      while store.containsValue(forKey: "end") {
        if (try? Data(contentsOf: URL(fileURLWithPath: path))) != nil { _exit(0) }
        usleep(1000)
      }
    case "_exit": _exit(0)
    default: abort()
    }
  }

  /// `open-many <sets> <stores>` sets keys, opens stores, and prints the numbers of open
  /// descriptors before and after.
  func openMany() throws {
    func descriptors() -> Int {
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? -1
    }
    // Starts watching files.
    let observation = PreferencesStore.onEvent { _ in }
    store.set(0, forKey: "first")
    try store.flush()
    let before = descriptors()
    for index in 0..<number(0) { store.set(index, forKey: "key" + String(index % 1000)) }
    try store.flush()
    for index in 0..<number(1) {
      let other = PreferencesStore(fileAt: path + "-" + String(index % 10))
      other.set(index, forKey: "key")
      if index % 100 == 0 { other.synchronize() }
    }
    for index in 0..<10 { try PreferencesStore(fileAt: path + "-" + String(index)).flush() }
    // Files that have just been saved may be open while they are checked again.
    let end = Date().addingTimeInterval(10)
    while descriptors() > before, Date() < end { usleep(10_000) }
    say("\(before) \(descriptors())")
    withExtendedLifetime(observation) {}
  }

  /// `daemonize` becomes a daemon and sets the key `daemon` to its process ID, without a call that
  /// saves.
  func daemonize() throws {
    store.set(1, forKey: "before")
    try store.flush()
    // Sometimes while the thread that saves is busy.
    usleep(UInt32.random(in: 0..<60_000))
    guard daemon(1, 1) == 0 else { Self.fail("no daemon") }
    store.set(Int(getpid()), forKey: "daemon")
    // Time for saving in the background. The daemon ends even if the test does not kill it.
    sleep(60)
  }

  /// `write-with-foundation <times>` writes to the domain of the file with Foundation's
  /// UserDefaults, and prints `ready` after the first time.
  func writeWithFoundation() {
    let name = (path as NSString).lastPathComponent.replacing(".plist", with: "")
    let defaults = UserDefaults(suiteName: name)!
    for index in 0..<200 {
      defaults.set(String(repeating: "x", count: 100), forKey: "fixed\(index)")
    }
    _ = defaults.synchronize()
    say("ready")
    for index in 0..<number(0) {
      defaults.set(index, forKey: "theirs")
      _ = defaults.synchronize()
    }
  }
}
