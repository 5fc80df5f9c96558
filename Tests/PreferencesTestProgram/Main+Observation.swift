import Foundation
import Preferences
import PropertyList
import Synchronization

extension Main {
  /// `save <key> <count>` sets a key to 1, 2 and so on, and saves each by itself.
  func save() throws {
    for number in 1...number(1) {
      store.set(number, forKey: arguments[0])
      try store.flush()
    }
  }

  /// `watch-again` tells what it sees of the key `k` while files are watched, while they are not, when it
  /// looks for itself, and when they are watched again. A line of input begins each.
  func watchAgain() throws {
    let token = store.observe("k") { say("heard \(Self.text($0))") }
    say("ready")
    nextLine()
    PreferencesStore.runtimeConfiguration.watchesFiles = false
    say("off")
    nextLine()
    // Nobody can prove that nothing is seen, but what had been told would stand before this line.
    usleep(300_000)
    say("sees \(store.integer(forKey: "k"))")
    store.synchronize()
    say("sees \(store.integer(forKey: "k"))")
    nextLine()
    PreferencesStore.runtimeConfiguration.watchesFiles = true
    say("on")
    nextLine()
    withExtendedLifetime(token) {}
  }

  /// `fork-observed` hears of changes of the key `k` in itself and in a child, which tell what they hear.
  func forkObserved() throws {
    let before = store.observe("k") { say("\(getpid()) before \(Self.text($0))") }
    let child = Self.fork()
    let after = store.observe("k") { say("\(getpid()) after \(Self.text($0))") }
    say("\(getpid()) \(child == 0 ? "child" : "parent")")
    if child == 0 {
      while true { pause() }
    }
    nextLine()
    kill(child, SIGKILL)
    waitpid(child, nil, 0)
    withExtendedLifetime((before, after)) {}
  }

  /// `fork-in-call` forks while another thread calls an observer of the key `k`, and has the child hear, of
  /// what others change as well as of what each of several threads does.
  func forkInCall() throws {
    let (isCalled, mayGo) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let parent = getpid()
    let told = Mutex("")
    let token = store.observe("k") { change in
      if Self.text(change) == "one" {
        isCalled.signal()
        mayGo.wait()
      }
      if getpid() != parent { told.withLock { $0 = Self.text(change) } }
      say("\(getpid() == parent ? "parent" : "child") \(Self.text(change))")
    }
    say("ready")
    isCalled.wait()
    let child = Self.fork()
    if child == 0 {
      // New threads have the numbers of those that were left behind, as long as there are enough.
      for number in 0..<8 {
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
          store.set("own \(number)", forKey: "k")
          if told.withLock({ $0 }) != "own \(number)" { say("missed \(number)") }
          isDone.signal()
          while true { pause() }
        }
        isDone.wait()
      }
      try store.flush()
      say("forked")
      while true { pause() }
    }
    nextLine()
    kill(child, SIGKILL)
    waitpid(child, nil, 0)
    mayGo.signal()
    nextLine()
    withExtendedLifetime(token) {}
  }

  /// Forks, after which both processes end soon, whatever goes wrong.
  private static func fork() -> pid_t {
    // Swift does not let it be called by its name.
    let function = dlsym(nil, "fork")
    let process = unsafeBitCast(function, to: (@convention(c) () -> pid_t).self)()
    if process != 0 {
      Thread.detachNewThread {
        sleep(60)
        kill(process, SIGKILL)
        fail("it takes too long")
      }
    }
    return process
  }

  /// The string to which a key was changed.
  private static func text(_ change: PreferencesChange) -> String {
    if case .string(let text)? = change.newValue { text } else { "none" }
  }

  /// `flush-all <count> <seconds>` sets a key of so many files, whose paths end with a number, saves
  /// all when it is told to, and tells how that went.
  func flushAll() throws {
    // Nothing is to be saved before.
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
    // The end of the process would try again.
    _exit(0)
  }

  /// `observe-many <count>` opens, observes, writes and drops so many stores, and tells how many descriptors
  /// and threads there are before, and after.
  func observeMany() throws {
    func names(_ folder: String) -> [String] {
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/" + folder)) ?? []
    }
    func text(_ name: String) -> String {
      (try? String(contentsOfFile: "/proc/self/" + name, encoding: .utf8)) ?? ""
    }
    /// How many threads there are but for the one that saves, which stays for a while.
    func threads() -> Int {
      names("task").count { text("task/\($0)/comm") != "larder-save\n" }
    }
    /// How many watches of the kernel there are.
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
    // Until what was started is all there, and files are closed.
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
      _ = other.changes(of: "k")
      withExtendedLifetime(token) {}
    }
    for _ in 0..<3000 where usage() != before { usleep(10_000) }
    say(usage())
    withExtendedLifetime(kept) {}
  }
}
