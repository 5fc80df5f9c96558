@testable import Threading
@testable import FileStorage
import Foundation
import TestSupport
import Testing

@Suite("A file watcher's use of resources", .serialized)
struct FileWatcherLimitTests {
  private let temporary: TemporaryFolder

  init() throws {
    temporary = try TemporaryFolder()
  }

  private func watcher(_ change: (inout FileWatcher.Options) -> Void = { _ in }) -> FileWatcher {
    var options = FileWatcher.Options()
    options.pollingInterval = .milliseconds(5)
    change(&options)
    return FileWatcher(options: options)
  }

  /// Returns how many inotify instances of this process watch the folder of this test.
  private func instanceCount() throws -> Int {
    var information = stat()
    try #require(stat(temporary.path, &information) == 0)
    let mark = " ino:" + String(information.st_ino, radix: 16) + " "
    return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fdinfo").count { name in
      FileObserver.content("/proc/self/fdinfo/" + name).contains(mark)
    }
  }

  @Test("includes polling of files beyond the limit of watches, until there are fewer")
  func watchLimit() async throws {
    for number in 0..<10 { try temporary.makeFolder("\(number)") }
    // The root, the folder of temporary folders, this folder, and three in it.
    let watcher = watcher { $0.watchLimit = 6 }
    let observers = (0..<10).map { FileObserver(watcher, temporary.path("\($0)/file")) }
    #expect(watcher.statistics.watchCount == 6)
    #expect(watcher.statistics.polledCount == 7)
    for (number, observer) in observers.enumerated() {
      try temporary.write("\(number)", to: "\(number)/file")
      #expect(await observer.sees("\(number)"))
    }
    for observer in observers.prefix(3) { observer.cancel() }
    #expect(await eventually { watcher.statistics.polledCount == 4 })
    var options = FileWatcher.Options()
    options.pollingInterval = .milliseconds(1)
    watcher.update(options: options)
    #expect(await eventually { watcher.statistics.polledCount == 0 })
    #expect(watcher.statistics.watchCount == 10)
    for (number, observer) in observers.enumerated().dropFirst(3) {
      try temporary.write("-\(number)", to: "\(number)/file")
      #expect(await observer.sees("-\(number)"))
    }
  }

  @Test("includes polling of all files without inotify")
  func noInotify() async throws {
    let watcher = watcher { $0.usesInotify = false }
    let observer = FileObserver(watcher, temporary.path("a/file"))
    #expect(
      watcher.statistics
        == FileWatcher.Statistics(
          fileCount: 1, watchCount: 0, polledCount: 1, descriptorCount: 1, threadCount: 1))
    try temporary.makeFolder("a")
    // Most likely before the first poll, which compares with the state at the beginning.
    try temporary.write("x", to: "a/file")
    #expect(await observer.sees("x"))
    var options = FileWatcher.Options()
    options.pollingInterval = .milliseconds(5)
    watcher.update(options: options)
    #expect(await eventually { watcher.statistics.polledCount == 0 })
    try temporary.write("y", to: "a/file")
    #expect(await observer.sees("y"))
  }

  @Test("includes polling where folders may not be read")
  func unreadableFolder() async throws {
    guard getuid() != 0 else { return }
    try temporary.makeFolder("a/b")
    #expect(chmod(temporary.path("a"), 0o300) == 0)
    defer { chmod(temporary.path("a"), 0o700) }
    let watcher = watcher()
    let observer = FileObserver(watcher, temporary.path("a/b/file"))
    #expect(watcher.statistics.polledCount == 1)
    try temporary.write("x", to: "a/b/file")
    #expect(await observer.sees("x"))
  }

  @Test(
    "includes polling on file systems of a network or of a program",
    arguments: [
      0x6969, 0x517B, 0xFE53_4D42, 0xFF53_4D42, 0x6573_5546, 0x0102_1997, 0x5346_414F, 0x00C3_6400,
      0x0BD0_0BD0, 0x4750_4653, 0x786F_4256, 0xBACB_ACBC, UInt(bitPattern: -0xACB2BE),
    ])
  func network(type: UInt) {
    #expect(NetworkFileSystem.contains(type: type))
  }

  @Test(
    "includes no polling on local file systems",
    // ext4, XFS, Btrfs, tmpfs, overlayfs, ZFS, F2FS, none known.
    arguments: [
      0xEF53, 0x5846_5342, 0x9123_683E, 0x0102_1994, 0x794C_7630, 0x2FC1_2FC1, 0xF2F5_2010, 0,
    ])
  func local(type: UInt) {
    #expect(!NetworkFileSystem.contains(type: type))
  }

  @Test("does not hide the last state when the kernel has dropped events")
  func overflow() async throws {
    let file = "/proc/sys/fs/inotify/max_queued_events"
    let text = FileObserver.content(file).trimmingCharacters(in: .whitespacesAndNewlines)
    let limit = try #require(Int(text))
    try #require(limit < 1_000_000)
    let watcher = watcher()
    let (entered, left) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let isFirst = Lock(true)
    let blocking = watcher.watch(temporary.path("blocking")) {
      let isBlocking = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      guard isBlocking else { return }
      entered.signal()
      left.wait()
    }
    let observer = FileObserver(watcher, temporary.path("file"))
    let later = FileObserver(watcher, temporary.path("a/b/file"))
    try temporary.write("", to: "blocking")
    entered.wait()
    let (one, two) = (temporary.path("one"), temporary.path("two"))
    try temporary.write("", to: "one")
    for number in 0...(limit / 2 + 10) {
      _ = number % 2 == 0 ? rename(one, two) : rename(two, one)
    }
    // The kernel drops the events of these.
    try temporary.write("last", to: "file")
    try temporary.makeFolder("a/b")
    try temporary.write("deep", to: "a/b/file")
    left.signal()
    #expect(await observer.sees("last"))
    #expect(await later.sees("deep"))
    try temporary.write("after", to: "a/b/file")
    #expect(await later.sees("after"))
    withExtendedLifetime(blocking) {}
  }

  @Test("allows for more events during a walk than are kept, and then walks again")
  func longWalk() async throws {
    let watcher = watcher()
    let observer = FileObserver(watcher, temporary.path("file"))
    let session = try #require(watcher.withState(\.session))
    let walk = try #require(watcher.withState { $0.beginWalk(of: 1) })
    var adder = WatchAdder(watcher, session)
    let result = PathWalk(walk.path, adding: &adder)
    try temporary.write("", to: "one")
    for round in 0..<10 {
      for _ in 0..<500 {
        rename(temporary.path("one"), temporary.path("two"))
        rename(temporary.path("two"), temporary.path("one"))
      }
      // The thread has read all events before.
      try temporary.write("\(round)", to: "file")
      #expect(await observer.sees("\(round)"))
    }
    let walksAgain = watcher.withState { state in
      _ = state.finishWalk(
        of: 1, result, isStable: true, adder.watches.keys, since: walk.start, nil)
      return state.unresolved.contains(1)
    }
    #expect(walksAgain)
    try temporary.write("last", to: "file")
    #expect(await observer.sees("last"))
  }

  @Test("is one watch for each folder, however many files are in it")
  func manyFiles() async throws {
    let watcher = watcher()
    var observers: [FileObserver] = []
    for folder in 0..<50 {
      try temporary.makeFolder("\(folder)")
      for file in 0..<40 {
        observers.append(FileObserver(watcher, temporary.path("\(folder)/\(file)")))
      }
    }
    let statistics = watcher.statistics
    #expect(
      statistics
        == FileWatcher.Statistics(
          fileCount: 2000, watchCount: 53, polledCount: 0, descriptorCount: 2, threadCount: 1))
    for number in stride(from: 0, to: 2000, by: 97) {
      try temporary.write("\(number)", to: "\(number / 40)/\(number % 40)")
      #expect(await observers[number].sees("\(number)"))
    }
    observers.removeLast(1000)
    #expect(watcher.statistics.watchCount == 28)
    #expect(watcher.statistics.fileCount == 1000)
  }

  @Test("is nothing before the first file is watched and a second after the last")
  func ending() async throws {
    let watcher = watcher()
    let nothing = FileWatcher.Statistics(
      fileCount: 0, watchCount: 0, polledCount: 0, descriptorCount: 0, threadCount: 0)
    #expect(watcher.statistics == nothing)
    for number in 0..<3 {
      let first = FileObserver(watcher, temporary.path("one"))
      let second = FileObserver(watcher, temporary.path("a/two"))
      #expect(watcher.statistics.watchCount == 3)
      #expect(try instanceCount() == 1)
      first.cancel()
      try temporary.write("\(number)", to: "one")
      second.cancel()
      #expect(await eventually { watcher.statistics == nothing })
      #expect(try instanceCount() == 0)
    }
  }

  @Test("is the same for one file after another, which takes no thread or inotify instance each")
  func onlyFile() async throws {
    let watcher = watcher()
    var used: FileWatcher.Statistics?
    for number in 0..<50 {
      let observer = FileObserver(watcher, temporary.path("file \(number % 3)"))
      if number == 0 { used = watcher.statistics }
      #expect(watcher.statistics == used)
      observer.cancel()
      #expect(watcher.statistics.watchCount == 0)
      #expect(watcher.statistics.descriptorCount == 2 && watcher.statistics.threadCount == 1)
    }
    let last = FileObserver(watcher, temporary.path("file"))
    try temporary.write("x", to: "file")
    #expect(await last.sees("x"))
  }

  @Test("is the same after many files have come and gone")
  func flat() async throws {
    let watcher = watcher()
    try temporary.makeFolder("a/b")
    let kept = FileObserver(watcher, temporary.path("file"))
    let before = watcher.statistics
    for number in 0..<500 {
      let other = FileObserver(watcher, temporary.path(number % 2 == 0 ? "a/b/file" : "c/d/file"))
      #expect(watcher.statistics.watchCount == before.watchCount + (number % 2 == 0 ? 2 : 0))
      other.cancel()
    }
    #expect(watcher.statistics == before)
    try temporary.write("x", to: "file")
    #expect(await kept.sees("x"))
  }
}
