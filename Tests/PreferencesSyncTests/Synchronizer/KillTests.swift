import Foundation
import Preferences
import PropertyList
import TestSupport
import Testing
import PreferencesSyncTesting

@testable import PreferencesSync

@Suite("A program that is killed loses nothing that was to be uploaded")
struct KillTests {
  private static let keyCount = 5

  @Test("Wherever it is killed, the next one uploads what was set last", arguments: 0..<8)
  func kill(round: Int) async throws {
    let folder = try TemporaryFolder()
    let (path, queuePath) = (folder.path("store.plist"), folder.path("queue.plist"))
    let last = try Self.runAndKill([path, queuePath, "\(Self.keyCount)"], after: 3 + round * 7)

    let store = PreferencesStore(fileAt: path)
    let queue = PreferencesStore(fileAt: queuePath)
    #expect(store.problems == [])
    #expect(queue.problems == [])
    let remote = InMemoryRemoteStore()
    let synchronizer = PreferencesSynchronizer(store: store, remote: remote, stateFileAt: queuePath)
    let keys = (0..<Self.keyCount).map { "k\($0)" }
    synchronizer.add(keys)
    try await synchronizer.waitForCompletion()
    for (index, key) in keys.enumerated() where last >= index {
      let value = try #require(try remote.value(key))
      #expect(store.plistValue(forKey: key) == value)
      guard case .integer(let number) = value else {
        Issue.record("\(value)")
        continue
      }
      // Nothing that was told is missing; what came right behind may be there as well.
      #expect(Int(number) % Self.keyCount == index)
      #expect(Int(number) > last - Self.keyCount)
    }
  }

  /// Runs the test program and kills it when it has told of so many numbers.
  ///
  /// - Returns: The last number that it told.
  private static func runAndKill(_ arguments: [String], after count: Int) throws -> Int {
    let program = try SyncProgram(arguments)
    var last: String?
    for _ in 0..<count { last = program.nextLine() ?? last }
    program.kill()
    // What it had told by then.
    while let line = program.nextLine() { last = line }
    return try #require(last.flatMap { Int($0) })
  }
}
