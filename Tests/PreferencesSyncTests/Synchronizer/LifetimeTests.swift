import FoundationEssentials
import PropertyList
import TestSupport
import Testing
import PreferencesSyncTesting

@testable import Preferences
@testable import PreferencesSync

@Suite("Nothing goes on that was ended")
struct LifetimeTests {
  let remote = InMemoryRemoteStore()

  @Test("A wait ends with its task, and others go on")
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

  @Test("A wait of a task that is canceled already does not begin")
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

  @Test("Waits end with the synchronizer, and so does every later one")
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

  @Test("Without keys there is nothing to wait for, and nobody is asked")
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
    "Released, it lets go of everything, also in the middle of a put", arguments: [true, false])
  func release(isPutting: Bool) async throws {
    weak var weakRemote: InMemoryRemoteStore?
    let folder = try TemporaryFolder()
    let store = PreferencesStore(fileAt: folder.path("store.plist"))
    let isCancelled = Gate()
    do {
      let remote = InMemoryRemoteStore()
      weakRemote = remote
      let synchronizer = PreferencesSynchronizer(
        store: store, remote: remote, stateFileAt: folder.path("queue.plist"))
      synchronizer.add(["k"])
      try await synchronizer.waitForCompletion()
      if isPutting {
        let isPutting = Gate()
        isPutting.open()
        remote.intercept { moment in
          guard moment == .beforePut("k") else { return }
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
    try store.flush()
  }
}
