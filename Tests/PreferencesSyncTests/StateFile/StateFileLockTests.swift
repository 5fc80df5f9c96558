import Foundation
import PreferencesSyncTesting
import PropertyList
import TestSupport
import Testing

@testable import Preferences
@testable import PreferencesSync

@Suite("One synchronizer at a time uses a state file")
struct StateFileLockTests {
  let remote = InMemoryRemoteStore()

  private static func lockedText(_ path: String) -> String {
    "\(path): the state file is in use by another synchronizer"
  }

  @Test("Another process holds the lock until it is killed")
  func otherProcess() async throws {
    let machine = try Machine(remote, starts: false)
    let program = try SyncProgram([
      machine.folder.path("other.plist"), machine.stateFilePath, "1",
    ])
    defer { program.kill() }
    // The first record is on disk.
    #expect(try await eventually { try machine.savedEntry("k0") != nil })
    machine.store.set("here", forKey: "k")
    machine.start()
    await #expect { try await machine.wait() } throws: { error in
      "\(error)" == Self.lockedText(machine.stateFilePath)
    }
    machine.synchronizer.synchronize()
    await #expect(throws: SynchronizationError.self) { try await machine.wait() }
    #expect(machine.takeFailures() == [Self.lockedText("folder/state/sync.plist")])
    #expect(remote.counts == InMemoryRemoteStore.Counts())
    #expect(try machine.savedEntry() == nil)
    #expect(machine.synchronizer.isConnected == false)

    program.kill()
    try await machine.wait()
    #expect(try remote.value() == "here")
    #expect(try machine.savedEntry()?.isPending == false)
    // The entries of the other process are kept.
    #expect(try machine.savedEntry("k0")?.isPending == true)
    #expect(machine.takeFailures() == [])
  }

  @Test("Another process cannot get the lock of this one, and reports that")
  func thisProcess() async throws {
    let machine = try Machine(remote)
    machine.store.set(1, forKey: "k")
    try await machine.wait()
    let program = try SyncProgram([machine.folder.path("other.plist"), machine.stateFilePath, "1"])
    defer { program.kill() }
    let expected = Self.lockedText(machine.stateFilePath)
    while let line = program.nextLine(), line != expected { #expect(Int(line) != nil) }
    program.kill()
    #expect(try machine.savedEntry("k0") == nil)
    #expect(try machine.savedEntry()?.record.value == 1)
  }

  @Test("A retry succeeds soon after the other synchronizer has ended")
  func retry() async throws {
    let machine = try Machine(remote)
    try await machine.wait()
    let other = try Machine(remote, starts: false)
    let delays = Duration.milliseconds(1)...Duration.milliseconds(4)
    other.start(["l"], stateFilePath: machine.stateFilePath, retryDelays: delays)
    other.store.set(1, forKey: "l")
    #expect(await eventually { !other.takeFailures().isEmpty })
    #expect(remote.counts.puts == 0)
    try machine.stop()
    #expect(try await eventually { try remote.value("l") == 1 })
    #expect(other.takeFailures() == [])
  }

  @Test(
    "A synchronizer that never had keys does not lock the file, one whose keys were removed does")
  func keys() async throws {
    let machine = try Machine(remote, starts: false)
    machine.start([])
    let other = try Machine(remote, starts: false)
    other.start(["l"], stateFilePath: machine.stateFilePath)
    try await machine.wait()
    try await other.wait()
    other.synchronizer.removeAll()
    try await other.wait()
    machine.synchronizer.add(["k"])
    await #expect(throws: SynchronizationError.self) { try await machine.wait() }
  }

  @Test("A successor in the same process starts at once", arguments: 0..<20)
  func succession(round: Int) async throws {
    let machine = try Machine(remote)
    for number in 0..<10 {
      machine.store.set(number, forKey: "k")
      for _ in 0..<round { await Task.yield() }
      try machine.restart()
    }
    try await machine.wait()
    #expect(try remote.value() == 9)
    #expect(machine.takeFailures() == [])
  }
}
