import Foundation
import Preferences
import PreferencesSync
import PreferencesSyncTesting
import PropertyList
import TestSupport
import Testing

@Suite("A killed replica leaves the old file or the new one, and knows it again")
struct ManagedKillTests {
  @Test("The file is whole wherever its writer was killed", arguments: 0..<12)
  func kill(round: Int) async throws {
    let folder = try TemporaryFolder()
    let (announced, done) = try Self.runAndKill(folder, after: 1 + round)
    let machine = try ManagedMachine(InMemoryRemoteStore(), folder: folder, starts: false)
    let values = try machine.file("org.example.app") ?? [:]
    // All keys of one rollout, or none before the first.
    let numbers = Set(values.map(\.value))
    #expect(numbers.count <= 1)
    if case .integer(let number)? = numbers.first {
      #expect(values.count == 50)
      #expect(number >= done && number <= announced)
    } else {
      #expect(done < 0)
    }
    let names = (try? folder.names("managed")) ?? []
    #expect(names.allSatisfy { $0.hasPrefix(".") || $0 == "org.example.app.plist" })

    // The successor recognizes the file. It uses the killed process's state file.
    try FileManager.default.createDirectory(
      atPath: folder.path("state"), withIntermediateDirectories: false)
    try? FileManager.default.moveItem(
      atPath: folder.path("state.plist"), toPath: folder.path("state/managed.plist"))
    let remote = InMemoryRemoteStore()
    let successor = try ManagedMachine(remote, folder: folder)
    for number in 0..<200 {
      try await ManagedPreferences.publish(
        ["k0": .integer(Int64(-number))], domain: "org.example.app", to: remote)
    }
    try await successor.wait()
    #expect(try successor.file("org.example.app") == ["k0": -199])
  }

  @Test("A file is known again whose state could not be saved after it was written")
  func stateFile() async throws {
    let remote = InMemoryRemoteStore()
    try await remote.publish(["k": 1])
    let machine = try ManagedMachine(remote)
    try await machine.wait()
    let (isLocked, isReleased) = (Recorder<Bool>(), Recorder<Bool>())
    let path = machine.folder.path("managed/org.example.app.plist")
    Thread {
      // Keeps the lock of the file.
      try? PreferencesStore(fileAt: path).update { _ in
        isLocked.record(true)
        _ = eventually { !isReleased.all.isEmpty }
      }
    }.start()
    #expect(await eventually { !isLocked.all.isEmpty })
    try await remote.publish(["k": 2])
    let hashes = PlistKeyPath(components: ["domains", "org.example.app", "hashes"])
    #expect(
      try await eventually {
        let state = try Plist.read(machine.folder.data("state/managed.plist")).value
        guard case .array(let known)? = state[hashes] else { return false }
        return known.count == 2
      })
    // A commit of the replica that has not ended yet would notice that its contents are replaced.
    try await PreferencesStore(fileAt: machine.folder.path("state/managed.plist")).update { _ in }
    let saved = try machine.folder.data("state/managed.plist")
    try machine.folder.write("<plist>", to: "state/managed.plist")
    isReleased.record(true)
    #expect(await eventually { !machine.failures.all.isEmpty })
    #expect(try machine.file("org.example.app") == ["k": 2])
    try machine.folder.write(saved, to: "state/managed.plist")
    try await remote.publish(["k": 3])
    try await machine.wait()
    #expect(try machine.file("org.example.app") == ["k": 3])
  }

  /// Runs the test program, and kills it while it replaces the file.
  ///
  /// - Returns: The last number that was published, and the last one that was in the file; -1 for
  ///   none.
  private static func runAndKill(
    _ folder: TemporaryFolder, after count: Int
  ) throws -> (announced: Int64, done: Int64) {
    let program = try SyncProgram(["managed", folder.path, "50"])
    var lines: [String] = []
    for _ in 0..<count {
      if let line = program.nextLine() { lines.append(line) }
    }
    program.kill()
    // The rest of its output.
    while let line = program.nextLine() { lines.append(line) }
    let done = lines.filter { $0.hasPrefix("done ") }.last.flatMap { Int64($0.dropFirst(5)) }
    return (lines.compactMap { Int64($0) }.last ?? -1, done ?? -1)
  }
}
