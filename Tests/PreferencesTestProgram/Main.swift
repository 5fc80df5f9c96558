import Foundation
import Preferences
import PropertyList

/// A program that uses preferences, run by tests as many processes: `PreferencesTestProgram <file> <verb>
/// <arguments>`. What fails ends up on standard error, and the status is 1.
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
    // Nothing is saved on the way out: what failed shall not be repaired by it.
    _exit(1)
  }

  private static let verbs: [String: @Sendable (Main) throws -> Void] = [
    "keys": { try $0.keys() },
    "count": { try $0.count() },
    "acknowledge": { try $0.acknowledge() },
    "read": { try $0.read() },
    "overwrite": { try $0.overwrite() },
    "set": { try $0.set() },
    "flush-twice": { try $0.flushTwice() },
    "hold": { try $0.hold() },
    "end": { $0.end() },
    "many": { try $0.many() },
    "fork": { try $0.fork() },
    "tenants": { try $0.tenants() },
    "foundation": { $0.foundation() },
    "save": { try $0.save() },
    "watch-again": { try $0.watchAgain() },
    "fork-observed": { try $0.forkObserved() },
    "fork-in-call": { try $0.forkInCall() },
    "flush-all": { try $0.flushAll() },
    "observe-many": { try $0.observeMany() },
  ]

  func number(_ index: Int) -> Int { Int(arguments[index])! }

  func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }

  func nextLine() { _ = readLine() }
}

extension Main {
  /// `keys <prefix> <count>` saves so many keys, each by itself.
  func keys() throws {
    for index in 0..<number(1) {
      store.set(index, forKey: arguments[0] + String(index))
      try store.flush()
    }
  }

  /// `count <times>` adds one to the key `count` so many times.
  func count() throws {
    for _ in 0..<number(0) {
      try store.update(timeout: .seconds(60)) { values in
        guard case .integer(let count)? = values["count"] ?? .integer(0) else { return }
        values["count"] = .integer(count + 1)
      }
    }
  }

  /// `acknowledge <prefix>` saves keys for ever, and tells each once it is on the disk.
  func acknowledge() throws {
    for index in 0... {
      let key = arguments[0] + String(index)
      store.set(String(repeating: "x", count: index % 3000), forKey: key)
      try store.flush()
      say(key)
    }
  }

  /// `read` looks at the file until standard input ends, and fails if it is not a whole property list
  /// once.
  func read() throws {
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

  /// `overwrite` reads the key `key`, tells, and once it is told to sets the key to the same value.
  func overwrite() throws {
    let value = store.plistValue(forKey: "key")!
    say("read")
    nextLine()
    store.set(value, forKey: "key")
    try store.flush()
  }

  /// `set <key> <value>` saves one key.
  func set() throws {
    store.set(arguments[1], forKey: arguments[0])
    try store.flush()
  }

  /// `flush-twice <key> <value>` saves one key, and tries once more where that fails.
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

  /// `hold` takes the lock of the file and keeps it until standard input ends.
  func hold() throws {
    try store.update { values in
      values["held"] = .boolean(true)
      say("held")
      while readLine() != nil {}
    }
  }

  /// `end <how>` sets a key and ends in one of many ways, without saving.
  func end() {
    store.set(arguments[0], forKey: "end")
    switch arguments[0] {
    case "return": return
    case "exit": exit(0)
    case "terminate":
      // The way in which servers end: a thread waits for the signal.
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

  /// `many <sets> <stores>` sets often, opens many stores, and tells how many descriptors are open
  /// before, and after.
  func many() throws {
    func descriptors() -> Int {
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? -1
    }
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
    // Files that have just been saved may be open while they are looked at once more.
    let end = Date().addingTimeInterval(10)
    while descriptors() > before, Date() < end { usleep(10_000) }
    say("\(before) \(descriptors())")
  }

  /// `fork` goes into the background as daemons do, and sets a key there.
  func fork() throws {
    store.set(1, forKey: "before")
    try store.flush()
    // Now and then while the thread that saves is at work.
    usleep(UInt32.random(in: 0..<60_000))
    guard daemon(1, 1) == 0 else { Self.fail("no daemon") }
    store.set(Int(getpid()), forKey: "daemon")
    // That is saved in the background. Whatever goes wrong, this ends.
    sleep(60)
  }

  /// `foundation <times>` saves the domain that is called as the file so many times with Foundation.
  func foundation() {
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
