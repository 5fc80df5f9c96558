#if Etcd
  import EtcdStore
  import Foundation
  import Preferences
  import PreferencesSync
  import PreferencesSyncTesting
  import TestSupport
  import Testing

  /// Measures what a fleet costs its cluster, and prints it with what is computed from it: the figures of
  /// the page "A fleet".
  @Suite("What a fleet costs its cluster", .timeLimit(.minutes(10)), .serialized)
  struct FleetCostTests {
    /// A cluster of one member, with the port of its metrics.
    private struct Cluster {
      let server: EtcdServer
      private let port: Int

      init(certificates: TestCertificates? = nil, _ arguments: [String] = []) async throws {
        port = try FreePort.next()
        server = try await EtcdServer.start(
          certificates: certificates,
          arguments + ["--listen-metrics-urls", "http://127.0.0.1:\(port)"])
      }

      var metrics: EtcdMetrics { get throws { try EtcdMetrics(port: port) } }

      /// Waits until the metrics are as expected.
      func wait(until condition: (EtcdMetrics) throws -> Bool) async throws {
        #expect(try await eventually { try condition(metrics) })
      }

      func store() throws -> EtcdStore {
        try EtcdStore(EtcdStore.Options(endpoints: [server.endpoint]))
      }
    }

    @Test("The costs of a thousand machines and of a hundred thousand")
    func costs() async throws {
      var costs = FleetCosts()
      let record = try await Self.record()
      costs.record = Double(record.count)
      costs.name = Double("larder/\(Self.name(0))".utf8.count)
      try await measureDatabase(record, &costs)
      try await measureTraffic(record, &costs)
      try await measureProgress(&costs)
      (costs.memory, _, costs.lookTime) = try await self.costs(
        ofEachOf: 400, withDomains: 1, every: .seconds(2))
      (costs.agentMemory, costs.agentConnections, costs.agentLookTime) = try await self.costs(
        ofEachOf: 20, withDomains: 20, every: .milliseconds(200))
      for line in costs.lines { print(line) }
      #expect(costs.isMeasured)
    }

    /// The record of a string of 20 characters, as a machine uploads it.
    private static func record() async throws -> Data {
      let folder = try TemporaryFolder()
      let store = PreferencesStore(fileAt: folder.path("store.plist"))
      let remote = InMemoryRemoteStore()
      let synchronizer = PreferencesSynchronizer(
        store: store, remote: remote, stateFileAt: folder.path("state.plist"))
      defer { synchronizer.cancel() }
      store.set("a string of 20 chars", forKey: "k")
      synchronizer.add(["k"])
      try await synchronizer.waitForCompletion()
      return try #require(try await remote.entries().entries.first).data
    }

    private static func name(_ number: Int) -> String {
      "domains/org.example.editor/setting-\(100_000 + number)"
    }

    // MARK: The database

    private func measureDatabase(_ record: Data, _ costs: inout FleetCosts) async throws {
      let cluster = try await Cluster()
      let store = try cluster.store()
      let count = 20_000
      var revisions = [Int64](repeating: 0, count: count)
      func putAll() async throws {
        let changes = (0..<count).map { number in
          RemoteChange(key: Self.name(number), data: record, replacing: revisions[number])
        }
        for (number, result) in try await store.apply(changes).enumerated() {
          guard case .stored(let revision) = result else { throw RemoteStoreError.unreachable }
          revisions[number] = revision
        }
      }
      let empty = try cluster.metrics.size
      try await putAll()
      let filled = try cluster.metrics.size
      costs.key = (filled.used - empty.used) / Double(count)
      try await putAll()
      let changed = try cluster.metrics.size
      costs.changeInHistory = (changed.used - filled.used) / Double(count)
      try await cluster.server.compact()
      // Compaction continues in the background.
      try await cluster.wait { try $0.size.used < changed.used * 0.8 }
      costs.compactedFile = try cluster.metrics.size.file
      try await cluster.server.control("defrag")
      costs.defragmentedFile = try cluster.metrics.size.file
      #expect(costs.defragmentedFile < costs.compactedFile)
    }

    // MARK: Bytes

    private func measureTraffic(_ record: Data, _ costs: inout FleetCosts) async throws {
      let cluster = try await Cluster()
      let store = try cluster.store()
      let proxy = try TestProxy(to: cluster.server.clientPort)
      var options = EtcdStore.Options(endpoints: [proxy.endpoint])
      options.keepAliveInterval = .seconds(3600)
      let count = 1000
      var watcher = Watcher(try EtcdStore(options))
      try await cluster.wait { try $0.streamCount == 1 }
      var before = proxy.byteCount
      for number in 0..<count {
        try await store.put(record, forKey: Self.name(number), replacing: 0).requireStored()
      }
      #expect(await eventually { watcher.received.all.reduce(0, +) >= count })
      costs.change = Double(proxy.byteCount - before) / Double(count)
      watcher.cancel()

      options.keepAliveInterval = .milliseconds(10)
      watcher = Watcher(try EtcdStore(options), after: try await store.entries().revision)
      // The connection has been made.
      let first = try cluster.metrics.transactionCount
      try await cluster.wait { $0.transactionCount >= first + 5 }
      before = proxy.byteCount
      let start = try cluster.metrics.transactionCount
      try await cluster.wait { $0.transactionCount >= start + Double(count) }
      let end = try cluster.metrics.transactionCount
      costs.look = Double(proxy.byteCount - before) / (end - start)
      watcher.cancel()
    }

    private func measureProgress(_ costs: inout FleetCosts) async throws {
      let cluster = try await Cluster(["--experimental-watch-progress-notify-interval", "100ms"])
      // Newer versions report nothing before the first revision of the stream.
      try await cluster.store().put(Data(), forKey: "k", replacing: 0).requireStored()
      let proxy = try TestProxy(to: cluster.server.clientPort)
      var options = EtcdStore.Options(endpoints: [proxy.endpoint])
      options.keepAliveInterval = .seconds(3600)
      let watcher = Watcher(try EtcdStore(options))
      try await cluster.wait { try $0.streamCount == 1 }
      // The smallest of several steps is one report.
      var sizes: [Int] = []
      var last = proxy.byteCount
      #expect(
        await eventually {
          let now = proxy.byteCount
          if now > last { sizes.append(now - last) }
          last = now
          return sizes.count == 20
        })
      costs.progress = Double(sizes.min() ?? 0)
      watcher.cancel()
    }

    // MARK: Memory and processors

    /// What an agent costs a member: its memory in bytes, its connections, and the processor time of a
    /// check that the member is alive.
    ///
    /// - Parameter interval: How often each agent checks.
    private func costs(
      ofEachOf count: Int, withDomains domains: Int, every interval: Duration
    ) async throws -> (memory: Double, connections: Double, lookTime: Double) {
      let certificates = try TestCertificates()
      let cluster = try await Cluster(certificates: certificates)
      var options = EtcdStore.Options(endpoints: [cluster.server.endpoint])
      options.certificateAuthorityFile = certificates.path("ca.pem")
      options.keepAliveInterval = interval
      let before = try cluster.metrics
      let watchers = try (0..<count).flatMap { _ in
        let store = try EtcdStore(options)
        return (0..<domains).map { Watcher(store.partition("domains/org.example.app\($0)/")) }
      }
      defer { for watcher in watchers { watcher.cancel() } }
      try await cluster.wait {
        try $0.watcherCount == before.watcherCount + Double(count * domains)
      }
      // No stream delivers this, so every third check asks whether any domain misses it.
      try await EtcdStore(options).put(Data(), forKey: "elsewhere", replacing: 0).requireStored()
      // All have checked, over connections that stay open.
      let connected = try cluster.metrics.transactionCount
      try await cluster.wait { $0.transactionCount >= connected + Double(count) * 4 }
      let start = try cluster.metrics
      // Without reading the metrics, which also takes time of the processor.
      try await Task.sleep(for: .seconds(10))
      let end = try cluster.metrics
      #expect(try end.streamCount == before.streamCount + Double(count))
      return try (
        (end.memory - before.memory) / Double(count),
        (end.descriptorCount - before.descriptorCount) / Double(count),
        (end.processorTime - start.processorTime) / (end.transactionCount - start.transactionCount)
      )
    }
  }

  /// A stream of changes, and the numbers of entries that it has delivered.
  private struct Watcher {
    let received = Recorder<Int>()
    private let task: Task<Void, any Error>

    init(_ store: any RemoteStore, after revision: Int64 = 1) {
      task = Task { [received] in
        for try await update in store.changes(after: revision) {
          received.record(update.entries.count)
        }
      }
    }

    func cancel() { task.cancel() }
  }
#endif
