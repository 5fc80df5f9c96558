import FileStorage
import Foundation
import PropertyList
import Synchronization
import TestSupport
import Testing

@testable import Preferences

@Suite("Re-reads of a file")
struct RereadTests {
  /// The times, in milliseconds, when a file that stays the same is read again.
  ///
  /// - Parameters:
  ///   - events: The times when the watcher reports a change.
  ///   - end: The time when the test ends.
  private func reads(events: [Int], end: Int) throws -> [Int] {
    let folder = try TemporaryFolder()
    try folder.write("x", to: "file")
    var identity = try #require(try AtomicFile(folder.path("file")).identity())
    identity.isRacy = true
    let start = Moment.now
    var reads = RacyReads()
    var calls = Set(events)
    var times: [Int] = []
    while let time = calls.min(), time < end {
      calls.remove(time)
      let now = start + .milliseconds(time)
      if let pause = reads.pause(before: identity, now: now) {
        calls.insert(time + Int(pause / .milliseconds(1)))
      } else {
        times.append(time)
        if let pause = reads.pause(after: identity, now: now) {
          calls.insert(time + Int(pause / .milliseconds(1)))
        }
      }
    }
    return times
  }

  @Test("with racy timestamps become rare and stop until the next event")
  func racy() throws {
    #expect(
      try reads(events: [0], end: 100_000)
        == [20, 40, 80, 160, 320, 640, 1140, 1640, 2140])
    // The file is read soon after an event between two reads.
    #expect(try reads(events: [0, 5000], end: 100_000).last == 5000)
    // A flood of events leads to no more than two reads per second in the long run.
    #expect(try reads(events: Array(0..<8000), end: 8000).count < 25)
  }

  @Test("start again when the file has changed")
  func changed() throws {
    let folder = try TemporaryFolder()
    try folder.write("x", to: "file")
    var identity = try #require(try AtomicFile(folder.path("file")).identity())
    identity.isRacy = true
    var reads = RacyReads()
    let start = Moment.now
    #expect(reads.pause(before: identity, now: start) == .milliseconds(20))
    #expect(reads.pause(before: identity, now: start + .seconds(5)) == nil)
    #expect(reads.pause(after: identity, now: start + .seconds(5)) == nil)
    identity.size += 1
    #expect(reads.pause(before: identity, now: start + .seconds(6)) == .milliseconds(20))
    identity.isRacy = false
    #expect(reads.pause(after: identity, now: start + .seconds(7)) == nil)
  }

  @Test("that the system cannot read become rare and start again after a success")
  func failed() {
    var reads = FailedReads()
    let now = Moment.now
    #expect(reads.next == nil)
    let pauses = (0..<11).map { _ in reads.noteFailure(now: now) }
    #expect(pauses.prefix(3) == [.milliseconds(100), .milliseconds(200), .milliseconds(400)])
    #expect(pauses.last == .seconds(30))
    #expect(reads.next == now + .seconds(30))
    reads.noteSuccess()
    #expect(reads.next == nil)
    #expect(reads.noteFailure(now: now) == .milliseconds(100))
  }

  @Test("An unreadable file is read again at later accesses, even if it is not watched")
  func unwatched() throws {
    let folder = try TemporaryFolder()
    try folder.write(try Plist.write(["k": 1], as: .xml), to: "d.plist")
    let file = DomainFile(path: folder.path("d.plist"))
    #expect(file.allValues == ["k": 1])
    // As after a failure.
    file.changeState { state in
      let problem = PreferencesError.storage(path: "p", SystemError(.open, code: EMFILE))
      _ = state.didFailToRead(problem, values: .unknown, at: .now + .seconds(-1))
    }
    #expect(file.problem == nil)
    #expect(file.set(2, forKey: "k"))
    try file.save()
  }

  @Test("Of a file that cannot be read, no key is known to be missing")
  func unknown() throws {
    let folder = try TemporaryFolder()
    // A loop of links cannot be read, not even by root.
    try #require(symlink("d.plist", folder.path("d.plist")) == 0)
    let store = PreferencesStore(fileAt: folder.path("d.plist"))
    #expect(
      store.problems.map(\.description)
        == ["\(folder.path("d.plist")): cannot open: Too many levels of symbolic links"]
    )
    #expect(!store.containsValue(forKey: "k"))
    store.set("other", forKey: "o")
    #expect(throws: PreferencesError.self) { try store.flush() }
    #expect(throws: PreferencesError.self) { try store.stampedValues() }
    // The contents become readable, and are kept.
    try folder.write(try Plist.write(["k": "theirs"], as: .xml), to: "target.plist")
    try #require(symlink("target.plist", folder.path("new")) == 0)
    try #require(rename(folder.path("new"), folder.path("d.plist")) == 0)
    #expect(eventually { store.string(forKey: "k") == "theirs" })
    try store.flush()
    #expect(try Plist.read(folder.data("target.plist")).value == ["k": "theirs", "o": "other"])
  }
}
