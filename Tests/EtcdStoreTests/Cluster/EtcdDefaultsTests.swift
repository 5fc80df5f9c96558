#if Etcd
  import Defaults
  import EtcdStore
  import Foundation
  import Preferences
  import PreferencesSync
  import PropertyList
  import TestSupport
  import Testing

  @Suite("Defaults.iCloud over a cluster", .timeLimit(.minutes(10)), .serialized)
  struct EtcdDefaultsTests {
    /// In a separate process, because the synchronized keys are shared by the whole process.
    @Test("One line connects all suites, each with a part of the cluster and a registry")
    func line() async throws {
      let server = try await EtcdServer.start()
      let folder = try TemporaryFolder()
      await #expect(processExitsWith: .success) {
        [path = folder.path("app") as String, port = server.clientPort as Int] in
        try await Self.useClusterByOneLine(port, path)
      }
    }

    private static func useClusterByOneLine(_ port: Int, _ path: String) async throws {
      let proxy = try TestProxy(to: port)
      let cluster = EtcdStore.Options(endpoints: [proxy.endpoint])
      let store = PreferencesStore(fileAt: path + "/app.plist")
      let suite = PreferencesStore(fileAt: path + "/suite.plist")
      let theme = Defaults.Key<String>("theme", default: "light", suite: store, iCloud: true)
      let inSuite = Defaults.Key<String>("theme", default: "light", suite: suite, iCloud: true)
      Defaults[theme] = "dark"
      Defaults[inSuite] = "bright"

      Defaults.iCloud.connect(toPartitionsOf: try EtcdStore(cluster), stateFilesIn: path + "/sync")
      #expect(await Defaults.iCloud.waitForSyncCompletion())
      #expect(!Defaults.iCloud.isSyncing)
      let status = Defaults.iCloud.status
      #expect(status.isConnected)
      #expect(status.domains[store.domain]?.endpoint == proxy.endpoint)
      #expect(status.domains[store.domain]?.clockSkew != nil)
      #expect(status.lastError == nil)

      // Another machine with the same domain.
      let other = PreferencesStore(fileAt: path + "/other.plist")
      let remote = try EtcdStore(cluster)
      let synchronizer = PreferencesSynchronizer(
        store: other, remote: remote.values(ofDomain: store.domain),
        registry: remote.registry(ofDomain: store.domain), stateFileAt: path + "/other-state.plist")
      synchronizer.add(["theme"])
      try await synchronizer.waitForCompletion()
      #expect(other.string(forKey: "theme") == "dark")
      other.set("black", forKey: "theme")
      #expect(await eventually { Defaults[theme] == "black" })
      #expect(Defaults[inSuite] == "bright")

      let keys = try await remote.entries().entries.map(\.key)
      let name = store.domain.replacing("/", with: "%2F")
      #expect(keys.filter { $0.hasPrefix("registry/\(name)/machine/") }.count == 2)
      #expect(keys.filter { $0.hasPrefix("domains/") }.count == 2)

      proxy.set(.closed)
      for await status in Defaults.iCloud.statusUpdates() where !status.isConnected { break }
      Defaults[theme] = "offline"
      #expect(Defaults.iCloud.isSyncing)
      proxy.set(.open)
      #expect(await Defaults.iCloud.waitForSyncCompletion())
      try await synchronizer.waitForCompletion()
      #expect(other.string(forKey: "theme") == "offline")
      synchronizer.cancel()
      Defaults.iCloud.disconnect()
      for store in [store, suite, other] { try await store.flush() }
    }

    @Test("The records of removals leave the cluster, and the database does not know them")
    func collection() async throws {
      let server = try await EtcdServer.start()
      let folder = try TemporaryFolder()
      let cluster = try EtcdStore(EtcdStore.Options(endpoints: [server.endpoint]))
      var options = PreferencesSynchronizer.Options()
      options.markInterval = .zero
      options.collectionInterval = .zero
      options.clockTolerance = .zero
      let stores = (0..<2).map { PreferencesStore(fileAt: folder.path("\($0).plist")) }
      let keys = (0..<700).map { "k\($0)" }
      let synchronizers = stores.enumerated().map { number, store in
        PreferencesSynchronizer(
          store: store, remote: cluster.values(ofDomain: "app"),
          registry: cluster.registry(ofDomain: "app"),
          stateFileAt: folder.path("state-\(number).plist"), options: options)
      }
      defer { for synchronizer in synchronizers { synchronizer.cancel() } }
      for synchronizer in synchronizers { synchronizer.add(keys) }
      for key in keys { stores[0].set("value", forKey: key) }
      for synchronizer in synchronizers { try await synchronizer.waitForCompletion() }
      #expect(keys.allSatisfy { stores[1].string(forKey: $0) == "value" })
      for key in keys { stores[1].removeObject(forKey: key) }
      try await repeated {
        for synchronizer in synchronizers { try await synchronizer.waitForCompletion() }
        let left = try await cluster.values(ofDomain: "app").entries().entries
        if !left.isEmpty { throw RemoteStoreError.unreachable }
      }
      for synchronizer in synchronizers { try await synchronizer.waitForCompletion() }
      for store in stores { #expect(keys.allSatisfy { store.plistValue(forKey: $0) == nil }) }
      for number in 0..<2 {
        guard
          case .dictionary(let state) = try Plist.read(folder.data("state-\(number).plist")).value
        else {
          Issue.record("no state file")
          continue
        }
        #expect(Array(state.keys) == ["%machine"])
      }
    }
  }
#endif
