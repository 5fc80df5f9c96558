#if Etcd
  import EtcdStore
  import Foundation
  import Preferences
  import PreferencesSync
  import PropertyList
  import TestSupport
  import Testing
  import Threading

  @Suite("Machines that share a cluster", .timeLimit(.minutes(10)), .serialized)
  struct EtcdSynchronizerTests {
    /// A machine with a store and a synchronizer.
    private final class Machine {
      let folder: TemporaryFolder
      let store: PreferencesStore
      let synchronizer: PreferencesSynchronizer
      let failures: Lock<[String]>

      init(_ options: EtcdStore.Options, _ keys: [String]) throws {
        folder = try TemporaryFolder()
        store = PreferencesStore(fileAt: folder.path("store.plist"))
        synchronizer = PreferencesSynchronizer(
          store: store, remote: try EtcdStore(options), stateFileAt: folder.path("state.plist"))
        failures = Lock([])
        synchronizer.onFailure { [failures] failure in
          failures.withLock { $0.append("\(failure)") }
        }
        synchronizer.add(keys)
      }

      deinit {
        synchronizer.cancel()
      }
    }

    @Test("Three machines have the same values in the end, whoever set them")
    func convergence() async throws {
      let server = try await EtcdServer.start()
      let keys = (0..<20).map { "k\($0)" }
      let machines = try (0..<3).map { _ in
        try Machine(EtcdStore.Options(endpoints: [server.endpoint]), keys)
      }
      for round in 0..<10 {
        for (number, machine) in machines.enumerated() {
          for key in keys where (round + number) % 3 != 0 {
            machine.store.set("\(round) of \(number)", forKey: key)
          }
          if round % 4 == 3 { machine.store.removeObject(forKey: keys[number]) }
        }
      }
      for _ in 0..<2 {
        for machine in machines { try await machine.synchronizer.waitForCompletion() }
      }
      let values = { (machine: Machine) in keys.map { machine.store.plistValue(forKey: $0) } }
      #expect(values(machines[1]) == values(machines[0]))
      #expect(values(machines[2]) == values(machines[0]))
      for machine in machines { #expect(machine.failures.withLock { $0 } == []) }
      // A change is seen without a call.
      machines[0].store.set("seen", forKey: "k19")
      #expect(await eventually { machines[2].store.string(forKey: "k19") == "seen" })
    }

    @Test("The status names the member, the revision and the difference of the clocks")
    func status() async throws {
      let server = try await EtcdServer.start()
      let machine = try Machine(EtcdStore.Options(endpoints: [server.endpoint]), ["k"])
      machine.store.set(1, forKey: "k")
      try await machine.synchronizer.waitForCompletion()
      let status = machine.synchronizer.status
      #expect(status.isConnected)
      #expect(status.endpoint == server.endpoint)
      #expect(status.pendingKeys == 0)
      // The same clock, in whole seconds.
      let skew = try #require(status.clockSkew)
      #expect(skew > .seconds(-60) && skew < .seconds(60))
      #expect(await eventually { machine.synchronizer.status.revision >= 2 })
      server.kill()
      #expect(await eventually { !machine.synchronizer.status.isConnected })
      #expect(machine.synchronizer.status.endpoint == nil)
      #expect(await eventually { machine.synchronizer.status.lastError != nil })
    }

    @Test(
      "Offline changes are uploaded in transactions, and read by another machine",
      arguments: [1000, 10_000])
    func offline(count: Int) async throws {
      let server = try await EtcdServer.start()
      let proxy = try TestProxy(to: server.clientPort)
      let keys = (0..<count).map { "k\($0)" }
      proxy.set(.closed)
      let machine = try Machine(EtcdStore.Options(endpoints: [proxy.endpoint]), keys)
      for key in keys { machine.store.set("v\(key)", forKey: key) }
      proxy.set(.open)
      var start = ContinuousClock.now
      try await machine.synchronizer.waitForCompletion()
      print("\(count) offline changes were uploaded in \(ContinuousClock.now - start).")
      let remote = try EtcdStore(EtcdStore.Options(endpoints: [server.endpoint]))
      let snapshot = try await remote.entries()
      #expect(snapshot.entries.count == keys.count)
      // Transactions of a hundred, after the cluster's first revision.
      #expect(snapshot.revision <= Int64(1 + count / 100 + 5))
      start = .now
      let other = try Machine(EtcdStore.Options(endpoints: [server.endpoint]), keys)
      try await other.synchronizer.waitForCompletion()
      print("\(count) keys were read by another machine in \(ContinuousClock.now - start).")
      #expect(keys.allSatisfy { other.store.string(forKey: $0) == "v\($0)" })
      #expect(other.failures.withLock { $0 } == [])
    }

    @Test("Data of other programs stops its key alone, and removed entries are uploaded again")
    func foreignData() async throws {
      let server = try await EtcdServer.start()
      let machine = try Machine(
        EtcdStore.Options(endpoints: [server.endpoint]), ["foreign", "removed", "fine"])
      try await machine.synchronizer.waitForCompletion()
      try await server.control("put", "larder/foreign", "{\"not\": \"a record\"}")
      machine.store.set(1, forKey: "fine")
      machine.store.set(2, forKey: "removed")
      await #expect {
        try await machine.synchronizer.waitForCompletion()
      } throws: {
        "\($0)".hasPrefix("the remote store holds an invalid record for the key foreign: ")
      }
      try await server.control("del", "larder/removed")
      let remote = try EtcdStore(EtcdStore.Options(endpoints: [server.endpoint]))
      try await repeated {
        let keys = try await remote.entries().entries.map(\.key).sorted()
        if keys != ["fine", "foreign", "removed"] { throw RemoteStoreError.unreachable }
      }
      #expect(machine.store.integer(forKey: "removed") == 2)
    }
  }
#endif
