import Foundation
import Preferences
import PropertyList
import TestSupport
import Testing

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
    let synchronizer = PreferencesSynchronizer(store: store, remote: remote, queueAt: queuePath)
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
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(
      fileURLWithPath: BuiltProgram("PreferencesSyncTestProgram").path)
    process.arguments = arguments
    process.standardOutput = output
    try process.run()
    var text = Data()
    while text.count(where: { $0 == 0x0A }) < count {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { break }
      text += data
    }
    Foundation.kill(process.processIdentifier, SIGKILL)
    text += output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    // A last line that is not complete does not count.
    let lines = String(decoding: text, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    return try #require(lines.dropLast().last.flatMap { Int($0) })
  }
}
