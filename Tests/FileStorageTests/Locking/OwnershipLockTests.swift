import Foundation
import TestSupport
import Testing

@testable import FileStorage
import Threading

@Suite("An ownership lock")
struct OwnershipLockTests {
  private let temporary: TemporaryFolder
  private let file: AtomicFile

  init() throws {
    temporary = try TemporaryFolder()
    file = try AtomicFile(temporary.path("file"))
  }

  @Test("has one owner at a time, and is free after the owner is gone")
  func exclusive() throws {
    do {
      let lock = try #require(try file.acquireOwnership())
      lock.markHeld()
      #expect(try file.acquireOwnership() == nil)
      // This also holds for another path to the file.
      try temporary.link("link", to: "file")
      try temporary.write("", to: "file")
      #expect(try AtomicFile(temporary.path("link")).acquireOwnership() == nil)
      #expect(try AtomicFile(temporary.path("other")).acquireOwnership() != nil)
      withExtendedLifetime(lock) {}
    }
    #expect(try file.acquireOwnership() != nil)
    #expect(try temporary.names() == [".file.claim", ".other.claim", "file", "link"])
  }

  @Test(
    "has an owner that is a process only if it has a number here",
    arguments: [(7, .process(7)), (0, .elsewhere), (-7, .elsewhere)] as [(Int32, LockOwner)])
  func owner(process: Int32, owner: LockOwner) {
    #expect(LockOwner(process) == owner)
  }

  @Test("does not exclude changes of the file")
  func changes() throws {
    let lock = try #require(try file.acquireOwnership())
    try file.update { _ in Data("x".utf8) }
    #expect(try temporary.text("file") == "x")
    withExtendedLifetime(lock) {}
  }

  @Test("that is being acquired or released is waited for", arguments: [true, false])
  func ending(wasKept: Bool) async throws {
    var lock = try file.acquireOwnership()
    if wasKept { lock?.markHeld() }
    lock?.markReleasing()
    // Not on a thread of the task pool, where tasks wait for each other.
    let isFree = await withCheckedContinuation { continuation in
      Thread.detachNewThread { [file] in
        continuation.resume(returning: (try? file.acquireOwnership()) != nil)
      }
      Duration.milliseconds(20).sleep()
      lock = nil
    }
    #expect(isFree)
  }

  @Test("that cannot be created is an error")
  func failure() throws {
    try temporary.link(".file.claim", to: "elsewhere")
    #expect { try file.acquireOwnership() } throws: { error in
      "\(error)" == "cannot open: Too many levels of symbolic links"
    }
    #expect(try temporary.names() == [".file.claim"])
  }
}
