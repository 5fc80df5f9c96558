import Foundation
import Preferences
import PropertyList
import Synchronization

extension Main {
  /// `set-repeatedly <key> <count>` sets a key to 1, 2 and so on, and saves each value.
  func setRepeatedly() throws {
    for number in 1...number(1) {
      store.set(number, forKey: arguments[0])
      try store.flush()
    }
  }

  /// `toggle-watching` prints changes and values of the key `k` while files are watched, while they
  /// are not, after it has synchronized, and when they are watched again. Each phase begins with a
  /// line of input.
  func toggleWatching() throws {
    let token = store.observe("k") { say("changed to \(Self.text($0))") }
    say("ready")
    waitForLine()
    PreferencesStore.runtimeConfiguration.watchesFiles = false
    say("off")
    waitForLine()
    // Time for a change to be delivered, which would be printed before the value.
    usleep(300_000)
    say("value \(store.integer(forKey: "k"))")
    store.synchronize()
    say("value \(store.integer(forKey: "k"))")
    waitForLine()
    PreferencesStore.runtimeConfiguration.watchesFiles = true
    say("on")
    waitForLine()
    withExtendedLifetime(token) {}
  }

  /// `fork-observed` observes the key `k` before and after a fork, and prints changes in parent and
  /// child.
  func forkObserved() throws {
    let before = store.observe("k") { say("\(getpid()) before \(Self.text($0))") }
    let child = Self.fork()
    let after = store.observe("k") { say("\(getpid()) after \(Self.text($0))") }
    say("\(getpid()) \(child == 0 ? "child" : "parent")")
    if child == 0 {
      while true { pause() }
    }
    waitForLine()
    kill(child, SIGKILL)
    waitpid(child, nil, 0)
    withExtendedLifetime((before, after)) {}
  }

  /// `fork-in-handler` forks while another thread is in an observer of the key `k`. The child
  /// prints changes by other processes and by several of its threads.
  func forkInHandler() throws {
    let (isCalled, mayReturn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let parent = getpid()
    let last = Mutex("")
    let token = store.observe("k") { change in
      if Self.text(change) == "one" {
        isCalled.signal()
        mayReturn.wait()
      }
      if getpid() != parent { last.withLock { $0 = Self.text(change) } }
      say("\(getpid() == parent ? "parent" : "child") \(Self.text(change))")
    }
    say("ready")
    isCalled.wait()
    let child = Self.fork()
    if child == 0 {
      // New threads reuse the identifiers of threads that the fork left behind.
      for number in 0..<8 {
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
          store.set("own \(number)", forKey: "k")
          if last.withLock({ $0 }) != "own \(number)" { say("missed \(number)") }
          isDone.signal()
          while true { pause() }
        }
        isDone.wait()
      }
      try store.flush()
      say("forked")
      while true { pause() }
    }
    waitForLine()
    kill(child, SIGKILL)
    waitpid(child, nil, 0)
    mayReturn.signal()
    waitForLine()
    withExtendedLifetime(token) {}
  }

  /// The new value of a key, a string, or `none`.
  private static func text(_ change: PreferencesChange) -> String {
    if case .string(let text)? = change.newValue { text } else { "none" }
  }

  /// `flush-all <count> <seconds>` sets a key in numbered files, flushes all stores with a timeout,
  /// and prints the result and the seconds it took.
  func flushAll() throws {
    // Nothing must be saved in the background.
    PreferencesStore.runtimeConfiguration.commitDelay = .seconds(3600)
    for index in 0..<number(0) {
      PreferencesStore(fileAt: "\(path)-\(index)").set(index, forKey: "key")
    }
    let start = ContinuousClock.now
    do {
      try PreferencesStore.flushAll(timeout: .seconds(number(1)))
      say("saved")
    } catch {
      say("\(error)")
    }
    say("\((ContinuousClock.now - start).components.seconds)")
    // An orderly exit would try again.
    _exit(0)
  }

  /// `poll-many <count>` observes files in separate folders, prints the number of watches, and the
  /// number of each file that changes, until its input ends.
  func pollMany() {
    let kept = (0..<number(0)).map { index in
      let store = PreferencesStore(fileAt: "\(path)-\(index)/k.plist")
      return (store, store.observe("k") { _ in say("\(index)") })
    }
    let statistics = PreferencesStore.statistics
    say("\(statistics.watchCount) watches, \(statistics.polledCount) polled")
    while readLine() != nil {}
    withExtendedLifetime(kept) {}
  }

  /// `observe-many <count>` opens, observes, writes and releases stores, and prints the numbers of
  /// descriptors, watches and threads before and after.
  func observeMany() throws {
    func names(_ folder: String) -> [String] {
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/" + folder)) ?? []
    }
    func text(_ name: String) -> String {
      (try? String(contentsOfFile: "/proc/self/" + name, encoding: .utf8)) ?? ""
    }
    /// The number of threads, without those that end when they have been idle for a while.
    func threads() -> Int {
      let transient = ["larder-save", "larder-commit", "larder-files", "larder-observe"]
      return names("task").count { !transient.contains("\(text("task/\($0)/comm").dropLast())") }
    }
    /// The number of inotify watches.
    func watches() -> Int {
      names("fdinfo").reduce(0) { sum, name in
        sum + text("fdinfo/" + name).split(separator: "\n").count { $0.hasPrefix("inotify wd:") }
      }
    }
    func usage() -> String {
      "\(names("fd").count) descriptors, \(watches()) watches, \(threads()) threads"
    }
    let kept = store.observe("k") { _ in }
    store.set(1, forKey: "k")
    try store.flush()
    // Time for threads to start and for files to be closed.
    sleep(1)
    let before = usage()
    say(before)
    for index in 0..<number(0) {
      var options = PreferencesStore.Options()
      options.locations = DomainLocations(within: "\(path)-\(index % 50)")
      options.usesPrivateRegistrationDomain = true
      let other = try PreferencesStore(domain: "many", options: options)
      let token = other.observe("k") { _ in }
      if index % 20 == 0 {
        other.set(index, forKey: "k")
        try other.flush()
      }
      _ = other.observableValue(forKey: "l")
      _ = other.changes(forKey: "k")
      withExtendedLifetime(token) {}
    }
    for _ in 0..<3000 where usage() != before { usleep(10_000) }
    say(usage())
    withExtendedLifetime(kept) {}
  }
}
