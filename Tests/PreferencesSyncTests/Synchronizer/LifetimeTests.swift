import FoundationEssentials
import PreferencesSyncTesting
import PropertyList
import TestSupport
import Testing

@testable import Preferences
@testable import PreferencesSync

@Suite("Canceled and released synchronizers stop")
struct LifetimeTests {
  let remote = InMemoryRemoteStore()

  @Test("A wait ends with its task, others continue")
  func cancelledWait() async throws {
    remote.isReachable = false
    let machine = try Machine(remote)
    machine.store.set(1, forKey: "k")
    let waits = (0..<2).map { _ in Task { try await machine.wait() } }
    #expect(await eventually { !machine.takeFailures().isEmpty })
    waits[0].cancel()
    await #expect(throws: CancellationError.self) { try await waits[0].value }
    remote.isReachable = true
    machine.synchronizer.synchronize()
    try await waits[1].value
    #expect(try remote.value() == 1)
  }

  @Test("A wait in a canceled task throws at once")
  func cancelledBefore() async throws {
    remote.isReachable = false
    let machine = try Machine(remote)
    let gate = Gate()
    let wait = Task {
      await gate.pass()
      try await machine.wait()
    }
    wait.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await wait.value }
  }

  @Test("Canceling ends present and later waits")
  func cancelledSynchronizer() async throws {
    remote.isReachable = false
    let machine = try Machine(remote)
    let wait = Task { try await machine.wait() }
    #expect(await eventually { !machine.takeFailures().isEmpty })
    let synchronizer = machine.synchronizer
    synchronizer.cancel()
    synchronizer.cancel()
    await #expect(throws: CancellationError.self) { try await wait.value }
    await #expect(throws: CancellationError.self) { try await synchronizer.waitForCompletion() }
    remote.isReachable = true
    machine.store.set(1, forKey: "k")
    synchronizer.synchronize()
    #expect(remote.counts.puts == 0)
    #expect(!synchronizer.isConnected)
  }

  @Test("Without keys a wait ends at once, and the remote store is not used")
  func noKeys() async throws {
    remote.isReachable = false
    let machine = try Machine(remote, starts: false)
    machine.start([])
    try await machine.wait()
    machine.synchronizer.add([])
    machine.synchronizer.remove(["none"])
    try await machine.wait()
    #expect(machine.takeFailures() == [])
  }

  @Test(
    "A released synchronizer releases everything, also during a put", arguments: [true, false])
  func release(isPutting: Bool) async throws {
    weak var weakRemote: InMemoryRemoteStore?
    let folder = try TemporaryFolder()
    let store = PreferencesStore(fileAt: folder.path("store.plist"))
    let isCancelled = Gate()
    do {
      let remote = InMemoryRemoteStore()
      weakRemote = remote
      let synchronizer = PreferencesSynchronizer(
        store: store, remote: remote, stateFileAt: folder.path("sync.plist"))
      synchronizer.add(["k"])
      try await synchronizer.waitForCompletion()
      if isPutting {
        let isPutting = Gate()
        isPutting.open()
        remote.intercept { point in
          guard point == .beforePut("k") else { return }
          await isPutting.pass()
          do {
            try await Task.sleep(for: .seconds(3600))
          } catch {
            isCancelled.open()
            throw error
          }
        }
        store.set(1, forKey: "k")
        #expect(await eventually { isPutting.arrivals == 1 })
      }
    }
    if isPutting { await isCancelled.pass() }
    #expect(await eventually { weakRemote == nil })
    try await store.flush()
  }
}
