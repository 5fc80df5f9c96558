import Foundation
import Preferences
import PreferencesSyncTesting
import PropertyList
import TestSupport
import Testing

@testable import PreferencesSync

@Suite("A killed process loses no pending uploads")
struct KillTests {
  private static let keyCount = 5

  @Test("The next process uploads the last values, wherever it was killed", arguments: 0..<8)
  func kill(round: Int) async throws {
    let folder = try TemporaryFolder()
    let (path, stateFilePath) = (folder.path("store.plist"), folder.path("sync.plist"))
    let last = try Self.runAndKill([path, stateFilePath, "\(Self.keyCount)"], after: 3 + round * 7)

    let store = PreferencesStore(fileAt: path)
    let stateFile = PreferencesStore(fileAt: stateFilePath)
    #expect(store.problems == [])
    #expect(stateFile.problems == [])
    let remote = InMemoryRemoteStore()
    let synchronizer = PreferencesSynchronizer(
      store: store, remote: remote, stateFileAt: stateFilePath)
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
      // No reported number is missing; the numbers right after may be there as well.
      #expect(Int(number) % Self.keyCount == index)
      #expect(Int(number) > last - Self.keyCount)
    }
  }

  /// Runs the test program, and kills it after it has reported some numbers.
  ///
  /// - Returns: The last number reported.
  private static func runAndKill(_ arguments: [String], after count: Int) throws -> Int {
    let program = try SyncProgram(arguments)
    var last: String?
    for _ in 0..<count { last = program.nextLine() ?? last }
    program.kill()
    // The rest of its output.
    while let line = program.nextLine() { last = line }
    return try #require(last.flatMap { Int($0) })
  }
}
