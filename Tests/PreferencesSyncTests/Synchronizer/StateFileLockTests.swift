import Foundation
import PropertyList
import TestSupport
import Testing
import PreferencesSyncTesting

@testable import Preferences
@testable import PreferencesSync

@Suite("One synchronizer at a time uses a file of what is remembered")
struct SharedQueueTests {
  let remote = InMemoryRemoteStore()
  private static let refusal = "folder/state/queue.plist: another synchronizer uses the file"

  @Test("Another process keeps it until it is killed")
  func otherProcess() async throws {
    let machine = try Machine(remote, starts: false)
    let program = try SyncProgram([
      machine.folder.path("other.plist"), machine.queuePath, "1",
    ])
    defer { program.kill() }
    // The first record is on the disk.
    #expect(try await eventually { try machine.remembered("k0") != nil })
    machine.store.set("here", forKey: "k")
    machine.start()
    await #expect { try await machine.wait() } throws: { error in
      "\(error)" == "\(machine.queuePath): another synchronizer uses the file"
    }
    machine.synchronizer.synchronize()
    await #expect(throws: SynchronizationError.self) { try await machine.wait() }
    #expect(machine.takeFailures() == [Self.refusal])
    #expect(remote.counts == InMemoryRemoteStore.Counts())
    #expect(try machine.remembered() == nil)
    #expect(machine.synchronizer.isConnected == false)

    program.kill()
    try await machine.wait()
    #expect(try remote.value() == "here")
    #expect(try machine.remembered()?.isPending == false)
    // What the other one has remembered is still there.
    #expect(try machine.remembered("k0")?.isPending == true)
    #expect(machine.takeFailures() == [])
  }

  @Test("It is kept from another process, which tells so")
  func thisProcess() async throws {
    let machine = try Machine(remote)
    machine.store.set(1, forKey: "k")
    try await machine.wait()
    let program = try SyncProgram([machine.folder.path("other.plist"), machine.queuePath, "1"])
    defer { program.kill() }
    let expected = "\(machine.queuePath): another synchronizer uses the file"
    while let line = program.nextLine(), line != expected { #expect(Int(line) != nil) }
    program.kill()
    #expect(try machine.remembered("k0") == nil)
    #expect(try machine.remembered()?.record.value == 1)
  }

  @Test("By itself the next one begins soon after the end of the one before")
  func retry() async throws {
    let machine = try Machine(remote)
    try await machine.wait()
    let other = try Machine(remote, starts: false)
    let delays = Duration.milliseconds(1)...Duration.milliseconds(4)
    other.start(["l"], queuePath: machine.queuePath, retryDelays: delays)
    other.store.set(1, forKey: "l")
    #expect(await eventually { !other.takeFailures().isEmpty })
    #expect(remote.counts.puts == 0)
    try machine.stop()
    #expect(try await eventually { try remote.value("l") == 1 })
    #expect(other.takeFailures() == [])
  }

  @Test("One without keys keeps nobody from it, and one that lost its keys does")
  func keys() async throws {
    let machine = try Machine(remote, starts: false)
    machine.start([])
    let other = try Machine(remote, starts: false)
    other.start(["l"], queuePath: machine.queuePath)
    try await machine.wait()
    try await other.wait()
    other.synchronizer.removeAll()
    try await other.wait()
    machine.synchronizer.add(["k"])
    await #expect(throws: SynchronizationError.self) { try await machine.wait() }
  }

  @Test("A successor in the same process begins at once", arguments: 0..<20)
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
