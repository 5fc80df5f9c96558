import Foundation
import TestSupport
import Testing

@testable import FileStorage
import Threading

@Suite("A claim of a file")
struct OwnershipLockTests {
  private let temporary: TemporaryFolder
  private let file: AtomicFile

  init() throws {
    temporary = try TemporaryFolder()
    file = try AtomicFile(temporary.path("file"))
  }

  @Test("is one holder's at a time, and free again when that has gone")
  func exclusive() throws {
    do {
      let claim = try #require(try file.acquireOwnership())
      claim.markHeld()
      #expect(try file.acquireOwnership() == nil)
      // By another path as well.
      try FileManager.default.createSymbolicLink(
        atPath: temporary.path("link"), withDestinationPath: "file")
      try temporary.write("", to: "file")
      #expect(try AtomicFile(temporary.path("link")).acquireOwnership() == nil)
      #expect(try AtomicFile(temporary.path("other")).acquireOwnership() != nil)
      withExtendedLifetime(claim) {}
    }
    #expect(try file.acquireOwnership() != nil)
    #expect(try temporary.names() == [".file.claim", ".other.claim", "file", "link"])
  }

  @Test("keeps nobody from changing the file")
  func changes() throws {
    let claim = try #require(try file.acquireOwnership())
    try file.update { _ in Data("x".utf8) }
    #expect(try temporary.text("file") == "x")
    withExtendedLifetime(claim) {}
  }

  @Test("that is about to be given up is waited for", arguments: [true, false])
  func ending(wasKept: Bool) async throws {
    var claim = try file.acquireOwnership()
    if wasKept { claim?.markHeld() }
    claim?.markReleasing()
    // Not on a thread of tasks, which wait for each other.
    let isFree = await withCheckedContinuation { continuation in
      Thread.detachNewThread { [file] in
        continuation.resume(returning: (try? file.acquireOwnership()) != nil)
      }
      Duration.milliseconds(20).sleep()
      claim = nil
    }
    #expect(isFree)
  }

  @Test("that cannot be made is an error")
  func failure() throws {
    try FileManager.default.createSymbolicLink(
      atPath: temporary.path(".file.claim"), withDestinationPath: "elsewhere")
    #expect { try file.acquireOwnership() } throws: { error in
      "\(error)" == "cannot open: Too many levels of symbolic links"
    }
    #expect(try temporary.names() == [".file.claim"])
  }
}
