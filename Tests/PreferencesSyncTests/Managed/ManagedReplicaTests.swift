import Foundation
import Glibc
import Preferences
import PreferencesSync
import PreferencesSyncTesting
import PropertyList
import TestSupport
import Testing

@Suite("Managed files follow the managed keys of a remote store")
struct ManagedReplicaTests {
  private let app = "org.example.app"

  @Test("Published keys arrive in a file that stores read before all other layers")
  func rollout() async throws {
    let remote = InMemoryRemoteStore()
    try await remote.publish(["theme": "dark", "limits": ["cpu": 2, "ratio": 0.5]])
    let machine = try ManagedMachine(remote)
    try await machine.wait()
    #expect(try machine.file(app) == ["theme": "dark", "limits": ["cpu": 2, "ratio": 0.5]])
    #expect(try machine.folder.text("managed/org.example.app.plist").hasPrefix("<?xml"))

    let store = try machine.store(app)
    store.set("light", forKey: "theme")
    #expect(store.string(forKey: "theme") == "dark")
    #expect(store.objectIsForced(forKey: "theme"))
    #expect(!store.objectIsForced(forKey: "other"))

    // Changes arrive without a call.
    try await remote.publish(["theme": "blue", "new": true])
    #expect(await eventually { store.string(forKey: "theme") == "blue" })
    #expect(try await eventually { try machine.file(app) == ["theme": "blue", "new": true] })
    #expect(machine.failures.all == [])
    #expect(remote.counts.snapshots == 3)
  }

  @Test("Files that were written are found again, also those of domains no longer chosen")
  func writtenFiles() async throws {
    let remote = InMemoryRemoteStore()
    try await remote.publish(["k": 1])
    var machine = try ManagedMachine(remote, [app])
    try await machine.wait()
    machine.stop()
    machine = try ManagedMachine(remote, ["org.example.other"], folder: machine.folder)
    try await machine.wait()
    machine.stop()
    let state = machine.folder.path("state/managed.plist")
    let files = {
      ManagedPreferencesReplica.files(ofStateFileAt: state, locations: machine.locations) {
        $0 != "org.example.other"
      }
    }
    #expect(
      files() == [
        app: machine.folder.path("managed/org.example.app.plist")
      ])
    // Another's contents, and a file without keys.
    let policy = try machine.folder.text("managed/org.example.app.plist")
    try machine.folder.write("{ k = 2; }", to: "managed/org.example.app.plist")
    #expect(files() == [:])
    try machine.folder.write(policy, to: "managed/org.example.app.plist")
    #expect(files().count == 1)
    try await remote.publish([:])
    machine = try ManagedMachine(remote, [app], folder: machine.folder)
    try await machine.wait()
    machine.stop()
    #expect(try machine.file(app) == [:])
    #expect(files() == [:])
    try machine.folder.write("no property list", to: "state/managed.plist")
    #expect(files() == [:])
  }

  @Test("Everybody may read the files and folders, and only their owner write, whatever the umask")
  func permissions() async throws {
    let remote = InMemoryRemoteStore()
    try await remote.publish(["k": 1])
    let machine = try ManagedMachine(remote, starts: false)
    let old = umask(0o077)
    machine.start()
    try await machine.wait()
    umask(old)
    #expect(machine.mode("managed/org.example.app.plist") == 0o644)
    #expect(machine.mode("managed") == 0o755)
    #expect(machine.mode("state/managed.plist") == 0o600)
  }

  @Test("A value that XML would alter is kept exactly")
  func exactness() async throws {
    let remote = InMemoryRemoteStore()
    let values: PlistDictionary = [
      "date": .date(Date(timeIntervalSinceReferenceDate: 0.25)), "control": "a\u{1}b",
    ]
    try await remote.publish(values)
    let machine = try ManagedMachine(remote)
    try await machine.wait()
    #expect(try machine.file(app) == values)
    #expect(try Plist.read(machine.folder.data("managed/org.example.app.plist")).format == .binary)
  }

  @Test("Removed keys leave the file, and a domain without keys leaves an empty one")
  func removal() async throws {
    let remote = InMemoryRemoteStore()
    try await remote.publish(["a": 1, "b": 2])
    try await remote.publish(["x": 1], "org.example.other")
    let machine = try ManagedMachine(remote)
    try await machine.wait()
    try await remote.publish(["a": 1])
    try await machine.wait()
    #expect(try machine.file(app) == ["a": 1])
    try await remote.publish([:])
    try await machine.wait()
    #expect(try machine.file(app) == [:])
    #expect(try machine.file("org.example.other") == ["x": 1])
    // The same while the replica does not run.
    machine.stop()
    try await remote.publish([:], "org.example.other")
    machine.start()
    try await machine.wait()
    #expect(try machine.file("org.example.other") == [:])
    #expect(machine.failures.all == [])
  }

  @Test("A record of a removal counts as no key")
  func tombstone() async throws {
    let remote = InMemoryRemoteStore()
    try await remote.publish(["a": 1, "b": 2])
    try await remote.put(SyncRecord(date: .now, value: nil).data, forKey: "\(app)/a")
    let machine = try ManagedMachine(remote)
    try await machine.wait()
    #expect(try machine.file(app) == ["b": 2])
    #expect(machine.replica.status.domains.map(\.keyCount) == [1])
  }

  @Test("Only the chosen domains are managed")
  func selection() async throws {
    let remote = InMemoryRemoteStore()
    try await remote.publish(["k": 1])
    try await remote.publish(["k": 2], "org.example.other")
    try await remote.put(Data([1]), forKey: "no slash")
    let machine = try ManagedMachine(remote, ["org.example.other", "org.example.absent"])
    try await machine.wait()
    #expect(try machine.file("org.example.other") == ["k": 2])
    #expect(
      try machine.folder.names("managed").filter { !$0.hasPrefix(".") } == [
        "org.example.other.plist"
      ])
    #expect(machine.failures.all == [])
  }

  @Test("Keys with slashes and of any characters arrive")
  func keys() async throws {
    let remote = InMemoryRemoteStore()
    let values: PlistDictionary = ["a/b": 1, "": 2, "../../x": 3, "e\u{301}": 4, "\u{e9}": 5]
    try await remote.publish(values)
    let machine = try ManagedMachine(remote)
    try await machine.wait()
    #expect(try machine.file(app) == values)
    #expect(try machine.file(app)?.count == 5)
  }

  @Test("Nothing is written again that is there already, also after a restart")
  func idempotence() async throws {
    let remote = InMemoryRemoteStore()
    try await remote.publish(["k": 1])
    let machine = try ManagedMachine(remote)
    try await machine.wait()
    func inode() throws -> Int {
      let path = machine.folder.path("managed/org.example.app.plist")
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      return try #require(attributes[.systemFileNumber] as? Int)
    }
    let first = try inode()
    try await machine.wait()
    machine.restart()
    try await machine.wait()
    #expect(try await remote.publish(["k": 1]).isEmpty)
    try await machine.wait()
    #expect(try inode() == first)
    // A file that was removed is written again.
    try FileManager.default.removeItem(
      atPath: machine.folder.path("managed/org.example.app.plist"))
    try await machine.wait()
    #expect(try machine.file(app) == ["k": 1])
  }

  @Test("The status says what the replica does")
  func status() async throws {
    let remote = InMemoryRemoteStore()
    try await remote.publish(["a": 1, "b": 2])
    let machine = try ManagedMachine(remote)
    var updates = machine.replica.statusUpdates().makeAsyncIterator()
    try await machine.wait()
    var status = machine.replica.status
    #expect(status.isConnected)
    #expect(status.revision == 1)
    #expect(status.lastContact != nil && status.endpoint == "memory")
    #expect(status.lastError == nil)
    #expect(
      status.domains == [
        .init(
          name: app, path: machine.folder.path("managed/org.example.app.plist"), keyCount: 2,
          error: nil)
      ])
    #expect(status.isComplete)
    remote.isReachable = false
    while let update = await updates.next() {
      status = update
      if status.lastError != nil, !status.isConnected { break }
    }
    #expect(status.lastError?.description == "the remote store cannot be reached")
    #expect(status.lastErrorDate != nil)
    // The values of earlier runs are known without the remote store.
    machine.restart()
    #expect(await eventually { machine.replica.status.lastError != nil })
    status = machine.replica.status
    #expect(status.revision == 1)
    #expect(status.domains.map(\.name) == [app])
    #expect(status.domains.map(\.keyCount) == [nil])
    let replica = machine.replica!
    var last = replica.statusUpdates().makeAsyncIterator()
    machine.stop()
    while await last.next() != nil {}
  }

  @Test("A second replica with the same state file waits until the first has ended")
  func stateFileLock() async throws {
    let remote = InMemoryRemoteStore()
    try await remote.publish(["k": 1])
    let first = try ManagedMachine(remote)
    try await first.wait()
    let second = try ManagedMachine(remote, folder: first.folder)
    #expect(
      await second.waitForError()
        == "folder/state/managed.plist: the state file is in use by another replica")
    first.stop()
    try await second.wait()
  }

  @Test("A replica that is canceled ends, and its waiters with it")
  func cancellation() async throws {
    let remote = InMemoryRemoteStore()
    remote.isReachable = false
    let machine = try ManagedMachine(remote)
    let replica = machine.replica!
    let wait = Task { try await replica.waitForCompletion() }
    replica.cancel()
    await #expect(throws: CancellationError.self) { try await wait.value }
    await #expect(throws: CancellationError.self) { try await replica.waitForCompletion() }
    let task = Task { [machine] in try await ManagedMachine(remote, folder: machine.folder).wait() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
