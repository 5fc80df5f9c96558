import Foundation
import Preferences
import PreferencesSync
import PreferencesSyncTesting
import PropertyList
import TestSupport
import Testing

@Suite("Managed files stay while the remote store is away")
struct ManagedOfflineTests {
  private let app = "org.example.app"

  @Test("The last values count offline and after a restart, and changes arrive on return")
  func offline() async throws {
    let remote = InMemoryRemoteStore()
    try await remote.publish(["k": 1])
    let machine = try ManagedMachine(remote)
    try await machine.wait()
    remote.isReachable = false
    #expect(await eventually { !machine.replica.status.isConnected })
    machine.restart()
    #expect(await eventually { machine.replica.status.lastError != nil })
    #expect(try machine.file(app) == ["k": 1])
    #expect(try machine.store(app).integer(forKey: "k") == 1)
    remote.isReachable = true
    try await remote.publish(["k": 2])
    try await machine.wait()
    #expect(try machine.file(app) == ["k": 2])
    #expect(
      Set(machine.failures.all) == ["the remote store cannot be reached"])
  }

  @Test("A lost connection is retried without a call")
  func retry() async throws {
    let remote = InMemoryRemoteStore()
    remote.isReachable = false
    let machine = try ManagedMachine(remote, starts: false)
    machine.start(retryDelays: .milliseconds(1)...Duration.milliseconds(5))
    #expect(await eventually { machine.failures.all.count > 3 })
    remote.isReachable = true
    try await remote.publish(["k": 1])
    #expect(try await eventually { try machine.file(app) == ["k": 1] })
    // Compaction ends the stream; removals are then found in a snapshot.
    try await remote.publish(["other": 1])
    remote.compact()
    try await remote.publish([:])
    remote.compact()
    #expect(try await eventually { try machine.file(app) == [:] })
  }

  @Test("The revision that was seen is known after a restart, though no file has changed")
  func lostClusterLater() async throws {
    let remote = InMemoryRemoteStore()
    try await remote.publish(["k": 1])
    let machine = try ManagedMachine(remote, [app], starts: false)
    machine.start(revisionInterval: .zero)
    try await machine.wait()
    for number in 0..<10 {
      try await remote.publish(["x": .integer(Int64(number))], "org.example.other")
    }
    let seen = try await remote.entries().revision
    #expect(
      try await eventually {
        let state = try Plist.read(machine.folder.data("state/managed.plist")).value
        return state[PlistKeyPath("revision")] == .integer(seen)
      })
    machine.stop()

    let anew = InMemoryRemoteStore()
    for number in 0..<5 {
      try await anew.publish(["x": .integer(Int64(number))], "org.example.other")
    }
    let successor = try ManagedMachine(anew, [app], folder: machine.folder)
    #expect(await successor.waitForError()?.contains("was set up again or restored") == true)
    #expect(try successor.file(app) == ["k": 1])
  }

  @Test("A store that was restored and has overtaken what was seen takes nothing away")
  func overtakenCluster() async throws {
    let remote = InMemoryRemoteStore()
    let backup = InMemoryRemoteStore()
    for store in [remote, backup] { try await store.publish(["x": 1], "org.example.other") }
    try await remote.publish(["k": 1])
    let machine = try ManagedMachine(remote)
    try await machine.wait()
    machine.stop()
    for number in Int64(2)..<9 {
      try await backup.publish(["x": .integer(number)], "org.example.other")
    }
    let successor = try ManagedMachine(backup, folder: machine.folder)
    #expect(await successor.waitForError()?.contains("was set up again or restored") == true)
    #expect(try successor.file(app) == ["k": 1])
    #expect(try successor.file("org.example.other") == ["x": 8])
    successor.stop()

    // A key that the administrator has removed since is not lost.
    try await backup.publish(["k": 2])
    let third = try ManagedMachine(backup, folder: machine.folder)
    try await third.wait()
    third.stop()
    try await backup.publish([:])
    let last = try ManagedMachine(backup, folder: machine.folder)
    try await last.wait()
    #expect(try last.file(app) == [:])
  }

  @Test("A store that was set up anew takes nothing away until it has keys of the domain again")
  func lostCluster() async throws {
    let remote = InMemoryRemoteStore()
    for number in 0..<5 { try await remote.publish(["k": .integer(Int64(number))]) }
    try await remote.publish(["x": 1], "org.example.other")
    let machine = try ManagedMachine(remote)
    try await machine.wait()
    machine.stop()

    let anew = InMemoryRemoteStore()
    try await anew.publish(["x": 2], "org.example.other")
    let successor = try ManagedMachine(anew, folder: machine.folder)
    let missing = """
      the remote store was set up again or restored, and has no managed keys of org.example.app; its \
      last ones stay until there are new ones
      """
    #expect(await successor.waitForError() == missing)
    #expect(try successor.file(app) == ["k": 4])
    #expect(try successor.file("org.example.other") == ["x": 2])
    // The same when the revisions are higher than the old store's.
    for number in 0..<10 {
      try await anew.publish(["x": .integer(Int64(number))], "org.example.other")
    }
    successor.restart()
    #expect(await successor.waitForError() == missing)
    #expect(try successor.file(app) == ["k": 4])
    try await anew.publish(["k": 7])
    try await successor.wait()
    #expect(try successor.file(app) == ["k": 7])
    try await anew.publish([:])
    try await successor.wait()
    #expect(try successor.file(app) == [:])
  }
}
