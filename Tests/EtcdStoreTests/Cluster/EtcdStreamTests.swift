#if Etcd
  import EtcdStore
  import Foundation
  import PreferencesSync
  import TestSupport
  import Testing
  import Threading

  @Suite("Streams of changes from etcd", .timeLimit(.minutes(10)), .serialized)
  struct EtcdStreamTests {
    /// Puts entries of numbers one after the other, repeating each until it is acknowledged.
    static func put(_ numbers: Range<Int>, to store: EtcdStore) async throws {
      for number in numbers {
        try await repeated {
          _ = try await store.put(Data("\(number)".utf8), forKey: "k\(number)", replacing: 0)
        }
      }
    }

    /// The keys of the entries of a stream, in their order, until a number of them has arrived.
    static func keys(
      of store: EtcdStore, count: Int, each: (Int) async throws -> Void = { _ in }
    ) async throws -> [String] {
      var keys: [String] = []
      for try await update in store.changes(after: 1) {
        keys += update.entries.map(\.key)
        if keys.count >= count { break }
        try await each(keys.count)
      }
      return keys
    }

    @Test("A stream goes on at another endpoint, and misses and repeats nothing")
    func failover() async throws {
      let server = try await EtcdServer.start()
      let proxies = [
        try TestProxy(to: server.clientPort), try TestProxy(to: server.clientPort),
      ]
      let store = try EtcdStore(EtcdStore.Options(endpoints: proxies.map(\.endpoint)))
      let writer = try EtcdStore(EtcdStore.Options(endpoints: [server.endpoint]))
      async let puts: Void = Self.put(0..<100, to: writer)
      let keys = try await Self.keys(of: store, count: 100) { count in
        if count == 30 { proxies[0].set(.closed) }
        if count == 60 {
          proxies[0].set(.open)
          proxies[1].set(.closed)
        }
      }
      try await puts
      #expect(keys == (0..<100).map { "k\($0)" })
    }

    @Test("A call goes to the next endpoint where the first is not one of etcd")
    func firstEndpoint() async throws {
      let server = try await EtcdServer.start()
      let closed = try FreePort.next()
      let portal = try ScriptedServer(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 13\r\n\r\n<html></html>")
      let store = try EtcdStore(
        EtcdStore.Options(
          endpoints: ["http://127.0.0.1:\(closed)", portal.endpoint, server.endpoint]))
      #expect(try await store.entries().entries == [])
      let result = try await store.put(Data([1]), forKey: "k", replacing: 0)
      guard case .stored(let revision) = result else {
        Issue.record("\(result)")
        return
      }
      #expect(
        try await store.entries().entries
          == [RemoteEntry(key: "k", data: Data([1]), revision: revision)])
      // The member that answers gets all later requests.
      #expect(portal.connectionCount == 1)
    }

    @Test("A stream goes on after its server was killed and started again")
    func restart() async throws {
      let server = try await EtcdServer.start()
      var options = EtcdStore.Options(endpoints: [server.endpoint])
      options.resumeTimeout = .seconds(120)
      let store = try EtcdStore(options)
      async let keys = Self.keys(of: store, count: 40)
      try await Self.put(0..<20, to: store)
      server.kill()
      await #expect(throws: EtcdError.self) { try await store.entries() }
      try server.launch()
      try await Self.put(20..<40, to: store)
      #expect(try await keys == (0..<40).map { "k\($0)" })
    }

    @Test("A stream notices that its server does not answer any more, and goes on at another one")
    func silence() async throws {
      let server = try await EtcdServer.start()
      let proxies = [
        try TestProxy(to: server.clientPort), try TestProxy(to: server.clientPort),
      ]
      var options = EtcdStore.Options(endpoints: proxies.map(\.endpoint))
      options.keepAliveInterval = .milliseconds(100)
      options.requestTimeout = .seconds(1)
      options.resumeTimeout = .seconds(120)
      let store = try EtcdStore(options)
      let writer = try EtcdStore(EtcdStore.Options(endpoints: [server.endpoint]))
      async let keys = Self.keys(of: store, count: 40) { count in
        if count == 20 { proxies[0].set(.silent) }
      }
      try await Self.put(0..<40, to: writer)
      #expect(try await keys == (0..<40).map { "k\($0)" })
      proxies[0].set(.open)
    }

    @Test("Many streams leave the connections of calls open, which are used again")
    func manyStreams() async throws {
      let server = try await EtcdServer.start()
      let proxy = try TestProxy(to: server.clientPort)
      var options = EtcdStore.Options(endpoints: [proxy.endpoint])
      options.keepAliveInterval = .milliseconds(100)
      let store = try EtcdStore(options)
      let tasks = (0..<24).map { number in
        Task { for try await _ in store.partition("\(number)/").changes(after: 1) {} }
      }
      defer { for task in tasks { task.cancel() } }
      #expect(await eventually { proxy.requestCount > 100 })
      let (connections, requests) = (proxy.acceptedCount, proxy.requestCount)
      #expect(await eventually { proxy.requestCount > requests + 500 })
      // Slightly more may be in use than before.
      #expect(proxy.acceptedCount < connections + 50)
    }

    @Test("A stream over which nothing arrives is noticed by what it has not delivered")
    func wedge() async throws {
      let server = try await EtcdServer.start()
      let proxy = try TestProxy(to: server.clientPort)
      var options = EtcdStore.Options(endpoints: [proxy.endpoint])
      options.keepAliveInterval = .milliseconds(100)
      options.resumeTimeout = .seconds(120)
      let store = try EtcdStore(options)
      let writer = try EtcdStore(EtcdStore.Options(endpoints: [server.endpoint]))
      async let keys = Self.keys(of: store, count: 40) { count in
        if count == 20 { proxy.holdStreams() }
      }
      try await Self.put(0..<40, to: writer)
      #expect(try await keys == (0..<40).map { "k\($0)" })
    }

    @Test("A stream whose server has stopped ends with an error")
    func stop() async throws {
      let server = try await EtcdServer.start()
      var options = EtcdStore.Options(endpoints: [server.endpoint])
      options.keepAliveInterval = .milliseconds(100)
      options.requestTimeout = .seconds(1)
      options.resumeTimeout = .zero
      let store = try EtcdStore(options)
      try await Self.put(0..<1, to: store)
      defer { server.signal(SIGCONT) }
      let error = await #expect(throws: EtcdError.self) {
        for try await _ in store.changes(after: 1) { server.signal(SIGSTOP) }
      }
      #expect(error?.kind == .timedOut)
    }

    @Test("Calls and streams end at once when their tasks are canceled", arguments: [true, false])
    func cancellation(isStream: Bool) async throws {
      let server = try await EtcdServer.start()
      let proxy = try TestProxy(to: server.clientPort)
      proxy.set(.silent)
      var options = EtcdStore.Options(endpoints: [proxy.endpoint])
      options.requestTimeout = .seconds(3600)
      options.keepAliveInterval = .seconds(3600)
      let store = try EtcdStore(options)
      let task = Task {
        if isStream {
          for try await _ in store.changes(after: 1) {}
        } else {
          _ = try await store.entries()
        }
      }
      #expect(await eventually { proxy.connectionCount == 1 })
      task.cancel()
      // Otherwise the test would exceed its time.
      _ = await task.result
      // The connection has also ended.
      #expect(await eventually { proxy.connectionCount == 0 })
    }

    @Test("A revision whose history was compacted is reported, and a snapshot can still be read")
    func compaction() async throws {
      let server = try await EtcdServer.start()
      let store = try EtcdStore(EtcdStore.Options(endpoints: [server.endpoint]))
      try await Self.put(0..<10, to: store)
      try await server.compact()
      await #expect(throws: RemoteStoreError.revisionCompacted) {
        for try await _ in store.changes(after: 1) {}
      }
      let snapshot = try await store.entries()
      #expect(snapshot.entries.count == 10)
      try await store.put(Data(), forKey: "new", replacing: 0).requireStored()
      for try await update in store.changes(after: snapshot.revision) {
        #expect(update.entries.map(\.key) == ["new"])
        break
      }
    }

    @Test("A stream of a quiet store learns the revision of the cluster")
    func progress() async throws {
      let server = try await EtcdServer.start([
        "--experimental-watch-progress-notify-interval", "1s",
      ])
      let store = try EtcdStore(EtcdStore.Options(endpoints: [server.endpoint]))
      var options = EtcdStore.Options(endpoints: [server.endpoint])
      options.prefix = "elsewhere/"
      let busy = try EtcdStore(options)
      for number in 0..<10 {
        try await busy.put(Data(), forKey: "\(number)", replacing: 0).requireStored()
      }
      let revision = try await store.entries().revision
      for try await update in store.changes(after: 1) {
        #expect(update == RemoteUpdate(entries: [], revision: revision))
        break
      }
    }

    @Test("A receiver that does not receive makes the server wait, not the memory grow")
    func slowReceiver() async throws {
      let server = try await EtcdServer.start()
      let store = try EtcdStore(EtcdStore.Options(endpoints: [server.endpoint]))
      let data = Data(repeating: 7, count: 500_000)
      var iterator = store.changes(after: 1).makeAsyncIterator()
      var revision: Int64 = 0
      try await store.put(data, forKey: "k", replacing: 0).requireStored()
      revision = try #require(try await iterator.next()).revision
      let before = Self.residentSize
      // 100 MB, and a third more in base64.
      for _ in 0..<200 {
        revision = try await store.put(data, forKey: "k", replacing: revision).requireStored()
      }
      let after = Self.residentSize
      #expect(after - before < 100 << 20)
      while let update = try await iterator.next(), update.revision < revision {}
    }

    /// The memory of this process in bytes.
    private static var residentSize: Int {
      let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
      return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4096
    }

    @Test(
      "What is written while the leader of three members is killed or stopped is kept",
      arguments: [SIGKILL, SIGSTOP])
    func leader(signal: Int32) async throws {
      let servers = try await EtcdServer.startCluster(3)
      var options = EtcdStore.Options(endpoints: servers.map(\.endpoint))
      options.resumeTimeout = .seconds(120)
      options.requestTimeout = .seconds(1)
      options.keepAliveInterval = .milliseconds(500)
      let store = try EtcdStore(options)
      async let keys = Self.keys(of: store, count: 60)
      try await Self.put(0..<20, to: store)
      for server in servers
      where try await server.control("endpoint", "status").contains(", true,") {
        server.signal(signal)
        break
      }
      let start = ContinuousClock.now
      try await Self.put(20..<21, to: store)
      let name = signal == SIGKILL ? "killed" : "stopped"
      print("Writing went on \(ContinuousClock.now - start) after the leader was \(name).")
      try await Self.put(21..<60, to: store)
      // A put whose answer was lost is repeated by the test, and conflicts then.
      #expect(try await keys == (0..<60).map { "k\($0)" })
      #expect(try await store.entries().entries.count == 60)
      withExtendedLifetime(servers) {}
    }
  }

  extension RemoteChangeResult {
    /// The revision of a change that took place.
    @discardableResult
    func requireStored() throws -> Int64 {
      guard case .stored(let revision) = self else {
        Issue.record("\(self)")
        throw CancellationError()
      }
      return revision
    }
  }
#endif
