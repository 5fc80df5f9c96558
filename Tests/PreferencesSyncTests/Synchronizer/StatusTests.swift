import Foundation
import PreferencesSyncTesting
import PropertyList
import TestSupport
import Testing
import Threading

@testable import Preferences
@testable import PreferencesSync

@Suite("The status says what a synchronizer is doing", .timeLimit(.minutes(5)))
struct StatusTests {
  let remote = InMemoryRemoteStore()

  @Test("Connection, revisions, queue, errors and the last contact")
  func fields() async throws {
    let machine = try Machine(remote, starts: false)
    machine.start(["k", "l", "bad"])
    #expect(machine.synchronizer.status.lastError == nil)
    machine.store.set(1, forKey: "k")
    try await machine.wait()
    var status = machine.synchronizer.status
    #expect(status.isConnected)
    #expect(status.endpoint == "memory")
    #expect(status.pendingKeys == 0)
    #expect(status.clockSkew == nil)
    #expect(await eventually { machine.synchronizer.status.revision == 1 })

    // This includes changes of keys that are not synchronized here.
    try await remote.put(1, at: 1, forKey: "other")
    #expect(await eventually { machine.synchronizer.status.revision == 2 })
    #expect(machine.synchronizer.status.remoteRevision == 2)

    try await remote.put(Data("nonsense".utf8), forKey: "bad")
    #expect(await eventually { machine.synchronizer.status.stoppedKeys == 1 })
    status = machine.synchronizer.status
    #expect(
      "\(status.lastError!)".hasPrefix("the remote store holds an invalid record for the key bad"))
    #expect(status.lastErrorDate == machine.clock.now)
    #expect(status.isConnected)

    remote.isReachable = false
    #expect(await eventually { !machine.synchronizer.status.isConnected })
    machine.store.set(2, forKey: "k")
    machine.store.set(3, forKey: "l")
    #expect(await eventually { machine.synchronizer.status.pendingKeys == 2 })
    status = machine.synchronizer.status
    #expect(status.endpoint == nil)
    #expect(
      await eventually {
        machine.synchronizer.status.lastError?.description == "the remote store cannot be reached"
      })
    #expect(status.lastContact! <= machine.clock.now)
    #expect(status.revision == 3)
  }

  @Test("A file that cannot be read stops all keys, though the remote store is connected")
  func damagedFile() async throws {
    let machine = try Machine(remote)
    machine.store.set(1, forKey: "k")
    try await machine.wait()
    #expect(machine.synchronizer.status.fileError == nil)
    try machine.folder.write("<plist>", to: "store.plist")
    await #expect(throws: SynchronizationError.self) {
      while true { try await machine.wait() }
    }
    #expect(machine.synchronizer.status.isConnected)
    // At first it may be seen before anything is written to it.
    #expect(
      await eventually {
        machine.synchronizer.synchronize()
        let error = machine.synchronizer.status.fileError
        return error.map { "\($0)" }?.contains("store.plist: line 1") == true
      })
    remote.isReachable = false
    try machine.folder.write("{ k = 2; }", to: "store.plist")
    // The file is valid again, whether or not the remote store can be reached.
    #expect(
      await eventually {
        machine.synchronizer.synchronize()
        return machine.synchronizer.status.fileError == nil
      })
  }

  @Test("A stream begins with the present status, and ends when the synchronizer is canceled")
  func updates() async throws {
    let machine = try Machine(remote)
    var received: [PreferencesSynchronizer.Status] = []
    for await status in machine.synchronizer.statusUpdates() {
      received.append(status)
      if status.isConnected { break }
    }
    #expect(received.last?.isConnected == true)
    let rest = machine.synchronizer.statusUpdates()
    machine.synchronizer.cancel()
    received = []
    for await status in rest { received.append(status) }
    #expect(received.last?.isConnected == false)
    received = []
    for await status in machine.synchronizer.statusUpdates() { received.append(status) }
    #expect(received.map(\.isConnected) == [false])
  }

  @Test("A slow reader gets the newest status")
  func newest() async throws {
    let machine = try Machine(remote)
    try await machine.wait()
    let updates = machine.synchronizer.statusUpdates()
    for number in 1...20 {
      machine.store.set(number, forKey: "k")
      try await machine.wait()
    }
    #expect(await eventually { machine.synchronizer.status.revision == 20 })
    var count = 0
    for await status in updates {
      count += 1
      if status.revision == 20 { break }
    }
    // The newest one may still be in transit.
    #expect(count <= 2)
  }

  /// An error that uses the synchronizer when it is described and when it is released.
  private final class CuriousError: Error, CustomStringConvertible {
    private let look: @Sendable () -> Void

    init(_ look: @escaping @Sendable () -> Void) { self.look = look }

    deinit { look() }

    var description: String {
      look()
      return "curious"
    }
  }

  @Test("An error of a user's type may use the synchronizer")
  func userError() async throws {
    let machine = try Machine(remote, starts: false)
    let looks = Lock(0)
    remote.intercept { [weak machine] _ in
      throw CuriousError { [weak machine] in
        _ = machine?.synchronizer.status
        _ = machine?.synchronizer.keys
        looks.withLock { $0 += 1 }
      }
    }
    machine.start(retryDelays: .milliseconds(1)...Duration.milliseconds(1))
    let updates = machine.synchronizer.statusUpdates()
    var count = 0
    for await status in updates where status.lastError != nil {
      #expect("\(status.lastError!)" == "curious")
      count += 1
      if count == 3 { break }
    }
    remote.intercept(nil)
    try await machine.wait()
    #expect(machine.synchronizer.status.isConnected)
    #expect(looks.withLock { $0 } > 3)
  }

  @Test("Skew is the own time minus the remote store's", arguments: [-86_400.0, 0, 3600])
  func skew(seconds: Double) async throws {
    let machine = try Machine(remote, starts: false)
    remote.setClock { [clock = machine.clock] in clock.now - seconds }
    machine.start()
    try await machine.wait()
    let skew = try #require(machine.synchronizer.status.clockSkew)
    // The clock of the remote store is assumed to have run since.
    #expect(skew <= .seconds(seconds) && skew > .seconds(seconds - 300))
    machine.clock.set(1000 + 900)
    let next = try #require(machine.synchronizer.status.clockSkew)
    #expect(next > .seconds(seconds + 600))
  }
}

@Suite("The progress of a stream counts what is received and merged")
struct StreamProgressTests {
  private static func update(_ revision: Int64) -> RemoteUpdate {
    RemoteUpdate(entries: [], revision: revision)
  }

  @Test("Changes of other keys count as merged unless something before them is not")
  func others() {
    var progress = StreamProgress(revision: 5)
    progress.receive(Self.update(6), concernsKeys: false)
    #expect((progress.received, progress.merged) == (6, 6))
    progress.receive(Self.update(7), concernsKeys: true)
    progress.receive(Self.update(8), concernsKeys: false)
    #expect((progress.received, progress.merged) == (8, 6))
    progress.merge(upTo: 6)
    #expect(progress.merged == 6)
    progress.merge(upTo: 7)
    #expect((progress.received, progress.merged) == (8, 8))
  }

  @Test("Nothing is merged that was not received, as after a stream of an earlier connection")
  func limit() {
    var progress = StreamProgress(revision: 5)
    progress.merge(upTo: 100)
    #expect((progress.received, progress.merged) == (5, 5))
  }
}
