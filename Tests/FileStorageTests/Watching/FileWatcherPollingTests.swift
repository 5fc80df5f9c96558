@testable import FileStorage
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("A file watcher that polls", .serialized, .timeLimit(.minutes(5)))
struct FileWatcherPollingTests {
  private let temporary: TemporaryFolder

  init() throws {
    temporary = try TemporaryFolder()
  }

  @Test("polls all files in each pass, however many there are, and walks along few paths")
  func manyFiles() async throws {
    let count = 1_500
    for number in 0..<count {
      try temporary.makeFolder("\(number)")
      try temporary.write("", to: "\(number)/file")
    }
    var options = FileWatcher.Options()
    options.watchLimit = 20
    options.pollingInterval = .milliseconds(20)
    let watcher = FileWatcher(options: options)
    let observers = (0..<count).map { FileObserver(watcher, temporary.path("\($0)/file")) }
    #expect(watcher.statistics.polledCount > count - 20)
    for number in stride(from: 1, to: count, by: 131) {
      try temporary.write("\(number)", to: "\(number)/file")
    }
    for number in stride(from: 1, to: count, by: 131) {
      #expect(await observers[number].sees("\(number)"))
    }
    let statistics = watcher.statistics
    #expect(statistics.watchCount <= 20)
    #expect(statistics.threadCount == 1)
  }

  private func slice(_ names: [String]) -> PollingSlice {
    PollingSlice(
      names.enumerated().map { ($0.offset, PathBytes(absolute: temporary.path($0.element))) })
  }

  @Test("polls a slice of the files at a time, in order")
  func slice() throws {
    try temporary.write("a", to: "a")
    let slice = slice(["a", "b", "c"])
    #expect(slice.poll() == nil)
    let result = slice.take()
    // A machine that is very busy may end the slice before its last file.
    #expect(result.polls.map(\.number) == Array(0..<result.polls.count))
    #expect(result.rest.map(\.number) == Array(result.polls.count..<3))
    #expect(result.current == nil)
    #expect(result.polls.first?.identity?.size == 1)
  }

  @Test("polls no file of a slice that was taken from it")
  func takenSlice() throws {
    let slice = slice(["a", "b"])
    let result = slice.take()
    #expect(result.polls.isEmpty && result.current == nil)
    #expect(result.rest.map(\.number) == [0, 1])
    #expect(slice.poll() == nil)
    #expect(slice.take().polls.isEmpty)
  }

  @Test("A file whose timestamp may be that of a later change counts as changed for two seconds")
  func racyIdentity() {
    func identity(inode: ino_t, nanoseconds: Int) -> FileIdentity {
      var information = stat()
      information.st_ino = inode
      information.st_ctim = timespec(tv_sec: 8, tv_nsec: nanoseconds)
      return FileIdentity(information, clock: .max)
    }
    let coarse = identity(inode: 1, nanoseconds: 0)
    let exact = identity(inode: 2, nanoseconds: 123_456_789)
    let start = ContinuousClock.now
    var polls = Polls(coarse, at: start)
    let rows: [(milliseconds: Int, found: FileIdentity?, mayHaveChanged: Bool, isSettled: Bool)] = [
      (500, coarse, true, false), (1_999, coarse, true, false), (2_000, coarse, true, true),
      (3_000, coarse, false, true), (4_000, exact, true, true), (5_000, exact, false, true),
      (6_000, coarse, true, false), (7_000, coarse, true, false), (7_500, nil, true, true),
      (8_000, nil, false, true),
    ]
    for row in rows {
      let mayHaveChanged = polls.record(row.found, at: start + .milliseconds(row.milliseconds))
      #expect(mayHaveChanged == row.mayHaveChanged, "after \(row.milliseconds) ms")
      #expect(polls.isSettled == row.isSettled, "after \(row.milliseconds) ms")
    }
  }
}
