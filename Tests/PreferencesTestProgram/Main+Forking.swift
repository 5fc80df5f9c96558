import Foundation
import Preferences
import PropertyList

/// A pipe that a process and its child use to wait for each other.
private struct Signal {
  private let ends: [Int32]

  init() {
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    self.ends = ends
  }

  func send() {
    var byte: UInt8 = 1
    write(ends[1], &byte, 1)
  }

  func wait() {
    var byte: UInt8 = 0
    while read(ends[0], &byte, 1) < 0, errno == EINTR {}
  }
}

extension Main {
  /// Forks. After a minute the child is killed by a signal.
  static func fork() -> pid_t {
    // Swift marks fork as unavailable.
    let function = dlsym(nil, "fork")
    let process = unsafeBitCast(function, to: (@convention(c) () -> pid_t).self)()
    if process == 0 {
      // The process that tests may have started this one with all signals blocked.
      var alarms = sigset_t()
      sigemptyset(&alarms)
      sigaddset(&alarms, SIGALRM)
      sigprocmask(SIG_UNBLOCK, &alarms, nil)
      alarm(60)
    }
    return process
  }

  /// Waits for a child and returns its exit status, or 128 plus the number of the signal that ended
  /// it.
  private static func wait(for child: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
  }

  /// Ends a child in one of several ways. Some of them save.
  private func end(_ how: String) throws {
    switch how {
    case "return": return
    case "exit": exit(0)
    case "flush":
      try store.flush()
      _exit(0)
    case "set":
      store.set("child", forKey: "own")
      exit(0)
    case "set-and-flush":
      store.set("child", forKey: "own")
      try store.flush()
      _exit(0)
    case "update":
      try store.update { $0["own"] = "child" }
      _exit(0)
    case "flush-all":
      try PreferencesStore.flushAll()
      _exit(0)
    case "exec":
      let arguments = [strdup("/bin/true"), nil]
      execv("/bin/true", arguments)
      _exit(1)
    case "wait":
      // Long enough for a background thread to save.
      usleep(300_000)
      exit(0)
    default: _exit(0)
    }
  }

  /// `end-after-parent <how> <newer>` sets the key `k`, forks, saves, sets and saves a newer value,
  /// and then lets the child end in the given way. It prints the value that the child sees.
  func endAfterParent() throws {
    PreferencesStore.runtimeConfiguration.commitDelay = .seconds(3600)
    store.set("old", forKey: "k")
    try store.flush()
    store.set("inherited", forKey: "k")
    let isSaved = Signal()
    let child = Self.fork()
    if child == 0 {
      isSaved.wait()
      try end(arguments[0])
      return
    }
    try store.flush()
    store.set(arguments[1], forKey: "k")
    try store.flush()
    isSaved.send()
    guard Self.wait(for: child) == 0 else { Self.fail("the child failed") }
    store.synchronize()
    say(store.string(forKey: "k") ?? "none")
  }

  /// `abandon <parent> <how>` leaves changes unsaved and forks. The parent ends by `_exit` or a
  /// signal. The child continues in the given way once its parent has ended.
  func abandon() throws {
    PreferencesStore.runtimeConfiguration.commitDelay = .seconds(3600)
    store.set("old", forKey: "k")
    store.set("old", forKey: "removed")
    try store.flush()
    store.set("inherited", forKey: "k")
    store.removeObject(forKey: "removed")
    let parent = getpid()
    let child = Self.fork()
    if child != 0 {
      if arguments[0] == "kill" { kill(getpid(), SIGKILL) }
      _exit(0)
    }
    while getppid() == parent { usleep(1000) }
    try end(arguments[1])
  }

  /// `fork-with-unsaved-changes` observes all keys, changes some without saving them, and forks.
  /// The child prints what its observer receives at the first use of the store. Then the parent
  /// saves.
  func forkWithUnsavedChanges() throws {
    PreferencesStore.runtimeConfiguration.commitDelay = .seconds(3600)
    let memory = PreferencesStore.inMemory()
    memory.set("kept", forKey: "k")
    store.set("old", forKey: "k")
    store.set("old", forKey: "removed")
    try store.flush()
    let observers = ["k", "added", "removed"].map { key in
      store.observe(key) { change in say("\(key): \(change.newValue?.description ?? "none")") }
    }
    defer { withExtendedLifetime(observers) {} }
    for key in ["k", "added"] { store.set("inherited", forKey: key) }
    store.removeObject(forKey: "removed")
    func values() -> String {
      ["added", "k", "removed"].map { "\($0)=\(store.string(forKey: $0) ?? "none")" }
        .joined(separator: " ")
    }
    let child = Self.fork()
    if child == 0 {
      say("child")
      store.synchronize()
      say("values \(values())")
      say("own in memory: \(memory.string(forKey: "k") ?? "none")")
      store.set("child", forKey: "k")
      _exit(0)
    }
    guard Self.wait(for: child) == 0 else { Self.fail("the child failed") }
    try store.flush()
    say("parent \(values())")
  }

  /// `fork-in-update` forks within an update, and prints the outcome of the update in the child.
  func forkInUpdate() throws {
    var child: pid_t = 0
    do {
      try store.update { values in
        child = Self.fork()
        values["by"] = child == 0 ? "child" : "parent"
        // The parent saves later than the child would.
        if child != 0 { _ = Self.wait(for: child) }
      }
    } catch {
      say("\(error)")
      // The child can continue.
      store.set("child", forKey: "later")
      _exit(store.string(forKey: "later") == "child" ? 0 : 1)
    }
    if child == 0 { Self.fail("the child has saved") }
  }

  /// `fork-beside-update` forks while another thread is within an update. The child, which lives,
  /// prints its identifier, the parent ends when the child has, or is killed. With `child` the child
  /// saves a key.
  func forkBesideUpdate() throws {
    let (isInside, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let store = store
    Thread.detachNewThread {
      try? store.update { values in
        isInside.signal()
        values["by"] = "parent"
        mayEnd.wait()
      }
    }
    isInside.wait()
    let child = Self.fork()
    if child == 0 {
      say("\(getpid())")
      _ = store.string(forKey: "k")
      sleep(50)
      _exit(0)
    }
    _ = Self.wait(for: child)
    mayEnd.signal()
  }

  /// `fork-in-storm <seconds>` forks without end while threads use stores in all ways. Each child
  /// also uses stores, and ends in one of several ways. It prints the number of forks, and fails if
  /// a child hangs.
  func forkInStorm() throws {
    let end = Date().addingTimeInterval(Double(number(0)))
    let path = path
    let used = DispatchSemaphore(value: 0)
    for thread in 0..<6 {
      Thread.detachNewThread {
        var round = 0
        while true {
          Self.useStores(path, thread, round)
          round += 1
          if round == 1 { used.signal() }
        }
      }
    }
    // The first uses of types, also by this program, take locks of the Swift runtime, which a child
    // would find locked forever.
    for _ in 0..<6 { used.wait() }
    var forks = 0
    var slowest = Duration.zero
    while Date() < end {
      let start = ContinuousClock.now
      let child = Self.fork()
      if child == 0 {
        try useInChild(forks)
        _exit(0)
      }
      if child < 0 { continue }
      slowest = max(slowest, .now - start)
      let status = Self.wait(for: child)
      guard status == 0 else { Self.fail("child \(forks) ended with \(status)") }
      forks += 1
    }
    say("\(forks) forks, the slowest in \(slowest)")
    _exit(0)
  }

  /// The loop of a thread of the parent.
  private static func useStores(_ path: String, _ thread: Int, _ round: Int) {
    let shared = PreferencesStore(fileAt: path)
    switch thread {
    case 0:
      // Reads new files for the first time, two threads at a time.
      let new = PreferencesStore(fileAt: "\(path)-\(round % 50)-\(round / 1000)")
      _ = new.string(forKey: "k")
    case 1:
      let new = PreferencesStore(fileAt: "\(path)-\(round % 50)-\(round / 1000)")
      new.set(round, forKey: "k\(round % 7)")
    case 2:
      shared.set(round, forKey: "k\(round % 10)")
      if round % 10 == 0 { try? shared.flush() }
    case 3:
      try? shared.update { $0["updates"] = .integer(Int64(round)) }
    case 4:
      let token = shared.observeAll { _ in }
      _ = shared.string(forKey: "k1")
      shared.synchronize()
      withExtendedLifetime(token) {}
    default:
      for _ in 0..<1000 { _ = shared.string(forKey: "k2") }
      if round % 100 == 0 {
        PreferencesStore.runtimeConfiguration.watchesFiles = round % 200 != 0
      }
    }
  }

  /// The work of a child. A signal ends it if it hangs.
  private func useInChild(_ number: Int) throws {
    let own = PreferencesStore(fileAt: path + "-child")
    own.set(number, forKey: "n")
    guard own.integer(forKey: "n") == number else { Self.fail("the value is lost") }
    _ = store.string(forKey: "k1")
    let token = store.observe("k1") { _ in }
    switch number % 24 {
    case 0: try own.flush()
    case 1:
      store.set(number, forKey: "child")
      exit(0)
    case 2: try store.update(timeout: .seconds(50)) { $0["child"] = .integer(Int64(number)) }
    case 3: try end("exec")
    case 4:
      let new = PreferencesStore(fileAt: "\(path)-new")
      guard new.string(forKey: "k") == nil else { Self.fail("there is no such value") }
      store.synchronize()
    case 5:
      let child = Self.fork()
      if child == 0 {
        store.set(number, forKey: "grandchild")
        try store.flush()
        _exit(0)
      }
      guard Self.wait(for: child) == 0 else { Self.fail("the grandchild failed") }
    default: break
    }
    withExtendedLifetime(token) {}
  }

  /// `set-without-thread <how>` sets two keys, the first of them when no thread can be created, and
  /// prints `saved` when both are in the file. With `exit` it sets one and ends. It prints threads
  /// that could not be started.
  func setWithoutThread() throws {
    PreferencesStore.runtimeConfiguration.watchesFiles = false
    let events = PreferencesStore.onEvent { event in
      if case .threadFailure = event { say("\(event)") }
    }
    defer { withExtendedLifetime(events) {} }
    store.set("first", forKey: "a")
    if arguments[0] == "exit" { return }
    usleep(200_000)
    store.set("second", forKey: "b")
    while true {
      usleep(10_000)
      guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)),
        case .dictionary(let values) = try Plist.read(data).value, values.count == 2
      else { continue }
      say("saved")
      _exit(0)
    }
  }

  /// `watch-without-thread` observes the key `k` when no thread can be created, and prints changes.
  /// It synchronizes after each line of input.
  func watchWithoutThread() throws {
    let token = store.observe("k") { change in say("changed") }
    say("ready")
    while readLine() != nil {
      store.synchronize()
      say("synchronized")
    }
    withExtendedLifetime(token) {}
  }
}
