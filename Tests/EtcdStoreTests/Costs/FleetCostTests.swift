#if Etcd
  import EtcdStore
  import Foundation
  import PreferencesSync
  import PropertyList
  import TestSupport
  import Testing

  /// Prints the figures from which the page "A fleet" computes what machines cost.
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

    private static func report(_ text: String) { print("Fleet: \(text)") }

    private static func bytes(_ number: Double) -> String { "\(Int(number.rounded())) bytes" }

    /// A typical record, of a string of 20 characters.
    private static func record(_ number: Int) throws -> Data {
      let text = "value \(number)".padding(toLength: 20, withPad: ".", startingAt: 0)
      return try SyncRecord(date: .now, value: .string(text)).data
    }

    private static func name(_ number: Int) -> String {
      "domains/org.example.editor/setting-\(100_000 + number)"
    }

    @Test("The database grows with keys, and with changes until they are compacted")
    func database() async throws {
      let cluster = try await Cluster()
      let store = try cluster.store()
      let count = 20_000
      Self.report(
        "a record of 20 characters has \(try Self.record(0).count) bytes, its name "
          + "\("larder/\(Self.name(0))".utf8.count)")
      var revisions = [Int64](repeating: 0, count: count)
      func putAll() async throws {
        let changes = try (0..<count).map { number in
          RemoteChange(
            key: Self.name(number), data: try Self.record(number), replacing: revisions[number])
        }
        for (number, result) in try await store.apply(changes).enumerated() {
          guard case .stored(let revision) = result else { throw RemoteStoreError.unreachable }
          revisions[number] = revision
        }
      }
      let empty = try cluster.metrics.size
      try await putAll()
      let filled = try cluster.metrics.size
      Self.report(
        "a key takes \(Self.bytes((filled.used - empty.used) / Double(count))) of the database")
      try await putAll()
      let changed = try cluster.metrics.size
      Self.report(
        "a change takes \(Self.bytes((changed.used - filled.used) / Double(count))) of the database "
          + "until it is compacted")
      try await cluster.server.compact()
      // Compaction goes on in the background.
      try await cluster.wait { try $0.size.used < changed.used * 0.8 }
      let compacted = try cluster.metrics.size
      try await cluster.server.control("defrag")
      let defragmented = try cluster.metrics.size
      Self.report(
        "the file of \(count) keys has \(Self.bytes(compacted.file)) after compaction, and "
          + "\(Self.bytes(defragmented.file)) after defragmentation")
      #expect(defragmented.file < compacted.file)
    }

    @Test("A change, and a look whether the member is alive, take bytes")
    func traffic() async throws {
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
        try await store.put(Self.record(number), forKey: Self.name(number), replacing: 0)
          .requireStored()
      }
      #expect(await eventually { watcher.received.all.reduce(0, +) >= count })
      Self.report(
        "a change takes \(Self.bytes(Double(proxy.byteCount - before) / Double(count))) on each "
          + "connection that watches")
      watcher.cancel()

      options.keepAliveInterval = .milliseconds(10)
      watcher = Watcher(try EtcdStore(options))
      // The connection has been made.
      let first = try cluster.metrics.readCount
      try await cluster.wait { try $0.readCount >= first + 5 }
      before = proxy.byteCount
      let start = try cluster.metrics.readCount
      try await cluster.wait { try $0.readCount >= start + Double(count) }
      let (end, after) = (try cluster.metrics.readCount, proxy.byteCount)
      Self.report(
        "a look whether the member is alive takes \(Self.bytes(Double(after - before) / (end - start)))"
      )
      watcher.cancel()
    }

    @Test("A report of progress takes bytes")
    func progress() async throws {
      let cluster = try await Cluster(["--experimental-watch-progress-notify-interval", "100ms"])
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
      Self.report("a report of progress takes \(Self.bytes(Double(sizes.min() ?? 0)))")
      watcher.cancel()
    }

    @Test("A machine that waits for changes takes memory, and processor time now and then")
    func machines() async throws {
      let certificates = try TestCertificates()
      let cluster = try await Cluster(certificates: certificates)
      var options = EtcdStore.Options(endpoints: [cluster.server.endpoint])
      options.certificateAuthorityFile = certificates.path("ca.pem")
      options.keepAliveInterval = .seconds(2)
      let count = 400
      let before = try cluster.metrics
      let watchers = try (0..<count).map { _ in Watcher(try EtcdStore(options)) }
      let expected = try before.streamCount + Double(count)
      try await cluster.wait { try $0.streamCount == expected }
      // All have looked whether the member is alive, by connections that stay open.
      let connected = try cluster.metrics.readCount
      try await cluster.wait { try $0.readCount >= connected + Double(count) * 2 }
      let start = try cluster.metrics
      try await cluster.wait { try $0.readCount >= start.readCount + Double(count) * 4 }
      let end = try cluster.metrics
      let memory = Int((try end.memory - before.memory) / Double(count) / 1024)
      Self.report("a machine with TLS takes \(memory) KiB of etcd's memory, as one of \(count)")
      let time = try (end.processorTime - start.processorTime) / (end.readCount - start.readCount)
      Self.report(
        "a look whether the member is alive takes \(Int((time * 1_000_000).rounded())) microseconds "
          + "of a processor")
      for watcher in watchers { watcher.cancel() }
    }
  }

  /// A stream of changes, and the numbers of entries that it has delivered.
  private struct Watcher {
    let received = Recorder<Int>()
    private let task: Task<Void, any Error>

    init(_ store: EtcdStore) {
      task = Task { [received] in
        for try await update in store.changes(after: 1) { received.record(update.entries.count) }
      }
    }

    func cancel() { task.cancel() }
  }
#endif
