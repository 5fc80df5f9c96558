import FileStorage
import Foundation
import TestSupport
import Testing
import Threading

@Suite("A file watcher's handlers", .serialized)
struct FileWatcherHandlerTests {
  private let watcher = FileWatcher()
  private let temporary: TemporaryFolder

  init() throws {
    temporary = try TemporaryFolder()
  }

  @Test("may cancel their own file")
  func cancelSelf() async throws {
    let token = Lock<WatchedFile?>(nil)
    let calls = Lock(0)
    let file = watcher.watch(temporary.path("file")) {
      calls.withLock { $0 += 1 }
      token.withLock { $0 }?.cancel()
    }
    token.withLock { $0 = file }
    let other = FileObserver(watcher, temporary.path("other"))
    try temporary.write("x", to: "file")
    #expect(await eventually { calls.withLock { $0 } == 1 })
    try temporary.write("y", to: "file")
    try temporary.write("y", to: "other")
    #expect(await other.sees("y"))
    #expect(calls.withLock { $0 } == 1)
    #expect(watcher.statistics.fileCount == 1)
  }

  @Test("may cancel the last file, and watch another after that")
  func cancelAndWatch() async throws {
    let token = Lock<WatchedFile?>(nil)
    let observer = Lock<FileObserver?>(nil)
    let path = temporary.path("file")
    let file = watcher.watch(path) { [watcher] in
      token.withLock { $0 }?.cancel()
      let new = FileObserver(watcher, path)
      observer.withLock { $0 = new }
    }
    token.withLock { $0 = file }
    try temporary.write("x", to: "file")
    #expect(await eventually { observer.withLock { $0 } != nil })
    let new = try #require(observer.withLock { $0 })
    try temporary.write("y", to: "file")
    #expect(await new.sees("y"))
    #expect(await eventually { watcher.statistics.threadCount == 1 })
  }

  @Test("may watch files, and release other observers")
  func watchMore() async throws {
    let observers = Lock<[FileObserver]>([])
    let temporary = temporary
    let first = watcher.watch(temporary.path("first")) { [watcher] in
      let new = FileObserver(watcher, temporary.path("second"))
      observers.withLock { $0.append(new) }
    }
    try temporary.write("x", to: "first")
    #expect(await eventually { observers.withLock { !$0.isEmpty } })
    let second = try #require(observers.withLock { $0.first })
    try temporary.write("y", to: "second")
    #expect(await second.sees("y"))
    // Releasing a handler releases what it holds alone, while the watcher removes the file.
    var nested = FileObserver(watcher, temporary.path("third"))
    for _ in 0..<10 {
      let inner = nested
      nested = FileObserver(watcher, temporary.path("third")) { path in
        withExtendedLifetime(inner) { path }
      }
    }
    withExtendedLifetime(first) {}
  }

  @Test("are not called after their file was canceled or released")
  func canceled() async throws {
    let (canceled, kept) = (
      FileObserver(watcher, temporary.path("file")), FileObserver(watcher, temporary.path("file"))
    )
    try temporary.write("x", to: "file")
    #expect(await canceled.sees("x"))
    #expect(await kept.sees("x"))
    canceled.cancel()
    try temporary.write("y", to: "file")
    #expect(await kept.sees("y"))
    try temporary.write("z", to: "file")
    #expect(await kept.sees("z"))
    try await Task.sleep(for: .milliseconds(10))
    #expect(canceled.state != "z")
  }

  @Test("are not called while the watcher is stopped, but after it is started again")
  func stopping() async throws {
    let observer = FileObserver(watcher, temporary.path("file"))
    for number in 1...20 {
      watcher.stop()
      #expect(watcher.statistics.watchCount == 0)
      #expect(await eventually { watcher.statistics.threadCount == 0 })
      let calls = observer.calls
      try temporary.write("\(number)", to: "file")
      let late = FileObserver(watcher, temporary.path("late"))
      #expect(watcher.statistics.threadCount == 0)
      #expect(observer.calls == calls)
      watcher.start()
      #expect(await observer.sees("\(number)"))
      try temporary.write("+\(number)", to: "file")
      #expect(await observer.sees("+\(number)"))
      try temporary.write("late\(number)", to: "late")
      #expect(await late.sees("late\(number)"))
      watcher.restartIfNeeded()
      watcher.start()
      #expect(watcher.statistics.threadCount == 1)
    }
  }

  @Test("may stop and start the watcher")
  func stopInside() async throws {
    let calls = Lock(0)
    let file = watcher.watch(temporary.path("file")) { [watcher] in
      let count = calls.withLock { calls in
        calls += 1
        return calls
      }
      if count < 5 {
        watcher.stop()
        watcher.start()
      }
    }
    try temporary.write("x", to: "file")
    #expect(await eventually { calls.withLock { $0 } >= 5 })
    #expect(await eventually { watcher.statistics.threadCount == 1 })
    file.cancel()
    #expect(await eventually { watcher.statistics.threadCount == 0 })
  }

  @Test("see the last state while threads watch and cancel files that change")
  func manyThreads() async throws {
    let (watcher, temporary) = (watcher, temporary)
    let kept = (0..<8).map { FileObserver(watcher, temporary.path("\($0)/file")) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask {
          var random = SeededGenerator(seed: UInt64(number))
          for round in 0..<60 {
            let folder = temporary.path("\(number)")
            try FileManager.default.createDirectory(
              atPath: folder, withIntermediateDirectories: true)
            let other = Int.random(in: 0..<8, using: &random)
            let observer = FileObserver(watcher, temporary.path("\(other)/file"))
            let own = FileObserver(watcher, folder + "/own")
            try temporary.write("\(round)", to: "\(number)/file")
            if round % 4 == 0 {
              try temporary.write("\(round)", to: "\(number)/own")
              #expect(await own.sees("\(round)"))
            }
            observer.cancel()
            if round % 3 == 0 { try FileManager.default.removeItem(atPath: folder) }
          }
          try temporary.write("end", to: "\(number)/file")
        }
      }
      try await group.waitForAll()
    }
    for observer in kept { #expect(await observer.sees("end")) }
    #expect(watcher.statistics.fileCount == 8)
    #expect(await eventually { watcher.statistics.watchCount == 11 })
  }
}
