#if Etcd
  import EtcdStore
  import Foundation
  import PreferencesSync
  import TestSupport
  import Testing
  import Threading

  @Suite("Streams of changes are refused, cut, and resumed", .timeLimit(.minutes(10)))
  struct WatchSessionTests {
    private static func probe(_ revision: Int64) -> String {
      ScriptedServer.answer(#"{"header":{"revision":"\#(revision)"}}"#)
    }

    /// The lines of a stream that begins and reports a change.
    private static func stream(_ revision: Int64) -> String {
      let key = Data("larder/k".utf8).base64EncodedString()
      return ScriptedServer.answer(
        """
        {"result":{"created":true}}
        {"result":{"events":[{"kv":{"key":"\(key)","mod_revision":"\(revision)"}}]}}
        """)
    }

    /// A server that begins streams, and answers the first check and later ones.
    private func server(firstProbe: String, later: String) throws -> ScriptedServer {
      let isFirst = Lock(true)
      return try ScriptedServer { request in
        if request.path == "watch" { return Self.stream(50) }
        return isFirst.withLock { isFirst in
          defer { isFirst = false }
          return isFirst ? firstProbe : later
        }
      }
    }

    private func options(_ server: ScriptedServer) -> EtcdStore.Options {
      var options = EtcdStore.Options(endpoints: [server.endpoint])
      options.resumeTimeout = .zero
      options.requestTimeout = .seconds(1)
      return options
    }

    @Test("A cluster that has lost revisions is noticed when a stream resumes")
    func restoration() async throws {
      let server = try server(firstProbe: Self.probe(50), later: Self.probe(49))
      var options = options(server)
      options.resumeTimeout = .seconds(60)
      var updates = try EtcdStore(options).changes(after: 49).makeAsyncIterator()
      #expect(try await updates.next()?.revision == 50)
      await #expect(throws: RemoteStoreError.revisionCompacted) { try await updates.next() }
    }

    @Test(
      "A revision that no cluster has come to is one that is lost",
      arguments: [Int64.max, Int64.max - 1])
    func future(revision: Int64) async throws {
      let server = try ScriptedServer { request in
        request.path == "watch" ? Self.stream(50) : Self.probe(50)
      }
      let store = try EtcdStore(options(server))
      await #expect(throws: RemoteStoreError.revisionCompacted) {
        for try await _ in store.changes(after: revision) {}
      }
    }

    @Test("A member that accepts a stream and cannot read is no connection")
    func noMajority() async throws {
      let server = try server(
        firstProbe: Self.probe(50),
        later: ScriptedServer.answer(
          #"{"code":14,"message":"etcdserver: no leader"}"#, status: "503 Service Unavailable"))
      var options = options(server)
      options.resumeTimeout = .milliseconds(500)
      let store = try EtcdStore(options)
      let error = await #expect(throws: EtcdError.self) {
        for try await _ in store.changes(after: 49) {}
      }
      #expect(error?.kind == .unavailable(reason: "etcdserver: no leader"))
      // At least a stream and a check, and another of each.
      #expect(server.connectionCount >= 4)
    }

    /// What a server answers to a stream that it leaves open, and the error.
    static let unconfirmed: [(lines: String, kind: EtcdError.Kind)] = [
      (
        #"{"result":{"created":true,"canceled":true,"cancel_reason":"etcdserver: permission denied"}}"#
          + "\n",
        .permissionDenied
      ),
      (#"{"result":{"header":{"revision":"1"}}}"# + "\n", .notEtcd(status: 200)),
      (#"{"result":{"created":"#, .timedOut),
      ("", .timedOut),
      (#"{"result":{"created":true}}"# + "\n", .permissionDenied),
    ]

    @Test(
      "Nothing is left of streams that were refused or not confirmed in time",
      arguments: unconfirmed)
    func refusal(answer: (lines: String, kind: EtcdError.Kind)) async throws {
      let server = try ScriptedServer(endlessPath: "watch") { request in
        if request.path == "watch" { return "HTTP/1.1 200 OK\r\n\r\n" + answer.lines }
        return ScriptedServer.answer(
          #"{"code":7,"message":"etcdserver: permission denied"}"#, status: "403 Forbidden")
      }
      let store = try EtcdStore(options(server))
      for _ in 0..<3 {
        let error = await #expect(throws: EtcdError.self) {
          for try await _ in store.changes(after: 1) {}
        }
        #expect(error?.kind == answer.kind)
      }
      #expect(server.connectionCount >= 3)
      // While the store is in use.
      #expect(await eventually { server.openCount == 0 })
      withExtendedLifetime(store) {}
    }

    @Test(
      "Revisions that leave no room are refused",
      arguments: ["9223372036854775807", "9223372036854775808", "-1"])
    func revisions(revision: String) async throws {
      let key = Data("larder/k".utf8).base64EncodedString()
      let entry = #"{"key":"\#(key)","mod_revision":"\#(revision)"}"#
      let calls = [
        #"{"header":{"revision":"\#(revision)"}}"#,
        #"{"header":{"revision":"1"},"kvs":[\#(entry)]}"#,
      ]
      for call in calls {
        let server = try ScriptedServer { _ in ScriptedServer.answer(call) }
        let error = await #expect(throws: EtcdError.self) {
          try await EtcdStore(options(server)).entries()
        }
        #expect(error?.kind == .notEtcd(status: 200))
      }
      let lines = [
        #"{"result":{"header":{"revision":"\#(revision)"}}}"#,
        #"{"result":{"events":[{"kv":\#(entry)}]}}"#,
      ]
      for line in lines {
        let count = Lock(0)
        let server = try ScriptedServer { request in
          if request.path != "watch" { return Self.probe(1) }
          let number = count.withLock { count in
            count += 1
            return count
          }
          let created = #"{"result":{"created":true}}"# + "\n"
          return ScriptedServer.answer(number == 1 ? created + line : line)
        }
        let error = await #expect(throws: EtcdError.self) {
          var updates = try EtcdStore(options(server)).changes(after: 1).makeAsyncIterator()
          for _ in 0..<3 { _ = try await updates.next() }
        }
        #expect(error?.kind == .notEtcd(status: 200))
      }
    }
  }
#endif
