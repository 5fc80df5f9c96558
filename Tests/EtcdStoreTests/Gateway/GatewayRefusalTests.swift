#if Etcd
  import EtcdStore
  import Foundation
  import PreferencesSync
  import TestSupport
  import Testing
  import Threading

  @Suite("Refusals of all versions of etcd", .timeLimit(.minutes(10)))
  struct GatewayRefusalTests {
    /// The form of a refusal in different versions of etcd.
    enum Shape: String, CaseIterable, CustomTestStringConvertible {
      /// The text as `error`.
      case error = "of old versions"
      /// The text twice.
      case both = "to 3.5"
      /// The text as `message`.
      case message = "from 3.6 on"

      var testDescription: String { rawValue }

      /// The JSON of a refused call.
      func call(_ code: Int, _ text: String) -> String {
        switch self {
        case .error: #"{"error":"\#(text)","code":\#(code)}"#
        case .both: #"{"error":"\#(text)","message":"\#(text)","code":\#(code)}"#
        case .message: #"{"code":\#(code),"message":"\#(text)"}"#
        }
      }

      /// The JSON of a refused stream.
      func stream(_ code: Int, _ text: String) -> String {
        switch self {
        case .error, .both:
          #"{"error":{"grpc_code":\#(code),"http_code":400,"message":"\#(text)","http_status":"x"}}"#
        case .message: #"{"error":{"code":\#(code),"message":"\#(text)"}}"#
        }
      }
    }

    /// A store that asks one server, and asks no more after a failure.
    private func store(
      _ server: ScriptedServer, user: EtcdStore.User? = nil
    ) throws -> EtcdStore {
      var options = EtcdStore.Options(endpoints: [server.endpoint])
      options.resumeTimeout = .zero
      options.user = user
      return try EtcdStore(options)
    }

    static let refusals: [(code: Int, text: String, kind: EtcdError.Kind)] = [
      (3, "etcdserver: user name is empty", .unauthenticated),
      (16, "etcdserver: invalid auth token", .unauthenticated),
      (3, "etcdserver: revision of auth store is old", .unauthenticated),
      (7, "etcdserver: permission denied", .permissionDenied),
      (8, "etcdserver: mvcc: database space exceeded", .noSpace),
      (8, "etcdserver: too many requests", .unavailable(reason: "etcdserver: too many requests")),
      (14, "etcdserver: no leader", .unavailable(reason: "etcdserver: no leader")),
      (
        4, "context deadline exceeded", .unavailable(reason: "context deadline exceeded")
      ),
      (5, "etcdserver: other", .refused(reason: "etcdserver: other")),
    ]

    @Test("Of all calls that need a token at the same time, one logs in")
    func logIns() async throws {
      let count = Lock(0)
      let server = try ScriptedServer { request in
        if request.path == "auth/authenticate" {
          count.withLock { $0 += 1 }
          usleep(100_000)
          return ScriptedServer.answer(#"{"token":"secret-token"}"#)
        }
        return request.text.contains("Authorization: secret-token")
          ? ScriptedServer.answer(#"{"header":{"revision":"1"}}"#)
          : ScriptedServer.answer(
            #"{"code":16,"message":"etcdserver: invalid auth token"}"#, status: "401 Unauthorized")
      }
      let folder = try TemporaryFolder()
      try folder.write("secret", to: "password")
      chmod(folder.path("password"), 0o600)
      var options = EtcdStore.Options(endpoints: [server.endpoint])
      options.user = EtcdStore.User(name: "fleet", passwordFile: folder.path("password"))
      let store = try EtcdStore(options)
      try await withThrowingTaskGroup(of: Int64.self) { group in
        for number in 0..<20 {
          group.addTask { try await store.partition("\(number)/").entries().revision }
        }
        for try await revision in group { #expect(revision == 1) }
      }
      #expect(count.withLock { $0 } == 1)
    }

    @Test("Each kind is told apart", arguments: Shape.allCases, refusals)
    func kinds(shape: Shape, refusal: (code: Int, text: String, kind: EtcdError.Kind)) async throws
    {
      let call = shape.call(refusal.code, refusal.text)
      let server = try ScriptedServer { _ in ScriptedServer.answer(call, status: "400 Bad Request")
      }
      let store = try store(server)
      let read = await #expect(throws: EtcdError.self) { try await store.entries() }
      #expect(read?.kind == refusal.kind)
      let write = await #expect(throws: EtcdError.self) {
        try await store.put(Data(), forKey: "k", replacing: 0)
      }
      #expect(write?.kind == refusal.kind)
      let stream = await #expect(throws: EtcdError.self) {
        for try await _ in store.changes(after: 1) {}
      }
      #expect(stream?.kind == refusal.kind)
    }

    @Test(
      "A stream tells each kind, before it begins and later", arguments: Shape.allCases, refusals)
    func streams(
      shape: Shape, refusal: (code: Int, text: String, kind: EtcdError.Kind)
    ) async throws {
      let line = shape.stream(refusal.code, refusal.text)
      let server = try ScriptedServer { _ in ScriptedServer.answer(line, status: "400 Bad Request")
      }
      let first = await #expect(throws: EtcdError.self) {
        for try await _ in try store(server).changes(after: 1) {}
      }
      #expect(first?.kind == refusal.kind)
      let count = Lock(0)
      let later = try ScriptedServer { request in
        guard request.path == "watch" else {
          return ScriptedServer.answer(#"{"header":{"revision":"1"}}"#)
        }
        let number = count.withLock { count in
          count += 1
          return count
        }
        let created = #"{"result":{"created":true}}"# + "\n"
        // After an error that another member might not return, a stream is tried once more.
        return ScriptedServer.answer(number == 1 ? created + line : line)
      }
      let second = await #expect(throws: EtcdError.self) {
        var updates = try store(later).changes(after: 1).makeAsyncIterator()
        for _ in 0..<3 { _ = try await updates.next() }
      }
      #expect(second?.kind == refusal.kind)
    }

    @Test(
      "The reason for which a stream is canceled tells the kind",
      arguments: [
        ("etcdserver: permission denied", EtcdError.Kind.permissionDenied),
        (
          "rpc error: code = PermissionDenied desc = etcdserver: permission denied",
          .permissionDenied
        ),
        (
          "rpc error: code = Unauthenticated desc = etcdserver: invalid auth token",
          .unauthenticated
        ),
        ("etcdserver: user name is empty", .unauthenticated),
        (
          "etcdserver: watcher id already exists",
          .unavailable(reason: "etcdserver: watcher id already exists")
        ),
      ])
    func cancelReason(reason: String, kind: EtcdError.Kind) async throws {
      let server = try ScriptedServer { _ in
        ScriptedServer.answer(
          #"{"result":{"created":true,"canceled":true,"cancel_reason":"\#(reason)"}}"#)
      }
      let error = await #expect(throws: EtcdError.self) {
        for try await _ in try store(server).changes(after: 1) {}
      }
      #expect(error?.kind == kind)
    }

    @Test("A request that is too large is rejected", arguments: Shape.allCases)
    func tooLarge(shape: Shape) async throws {
      for (code, text) in [
        (3, "etcdserver: request is too large"),
        (8, "grpc: received message larger than max (2 vs. 1)"),
        (3, "etcdserver: too many operations in txn request"),
      ] {
        let answer = ScriptedServer.answer(shape.call(code, text), status: "400 Bad Request")
        let server = try ScriptedServer { _ in answer }
        let results = try await store(server).apply([
          RemoteChange(key: "a", data: Data(), replacing: 0),
          RemoteChange(key: "b", data: Data(), replacing: 0),
        ])
        let rejection = RemoteChangeResult.rejected(
          reason: "the cluster accepts no request of this size")
        #expect(results == [rejection, rejection])
      }
    }

    @Test("A page whose revision was compacted is read again", arguments: Shape.allCases)
    func compaction(shape: Shape) async throws {
      let count = Lock(0)
      let text = "etcdserver: mvcc: required revision has been compacted"
      let server = try ScriptedServer { request in
        let number = count.withLock { count in
          count += 1
          return count
        }
        if request.text.contains("revision") {
          if number == 2 {
            return ScriptedServer.answer(shape.call(11, text), status: "400 Bad Request")
          }
          return ScriptedServer.answer(#"{"header":{"revision":"5"}}"#)
        }
        let key = Data("larder/k\(number)".utf8).base64EncodedString()
        return ScriptedServer.answer(
          #"{"header":{"revision":"5"},"more":true,"kvs":[{"key":"\#(key)","mod_revision":"2"}]}"#)
      }
      let snapshot = try await store(server).entries()
      #expect(snapshot.entries.map(\.key) == ["k3"])
    }

    // MARK: The user

    private func user(_ folder: TemporaryFolder) throws -> EtcdStore.User {
      try folder.write("secret", to: "password")
      chmod(folder.path("password"), 0o600)
      return EtcdStore.User(name: "fleet", passwordFile: folder.path("password"))
    }

    @Test("A refused token is renewed", arguments: Shape.allCases)
    func token(shape: Shape) async throws {
      let count = Lock(0)
      let server = try ScriptedServer { request in
        if request.path == "auth/authenticate" {
          let number = count.withLock { count in
            count += 1
            return count
          }
          return ScriptedServer.answer(#"{"token":"token\#(number)"}"#)
        }
        guard request.text.contains("token2") else {
          return ScriptedServer.answer(
            shape.call(16, "etcdserver: invalid auth token"), status: "401 Unauthorized")
        }
        return ScriptedServer.answer(#"{"header":{"revision":"7"}}"#)
      }
      let folder = try TemporaryFolder()
      #expect(try await store(server, user: user(folder)).entries().revision == 7)
      #expect(count.withLock { $0 } == 2)
    }

    @Test(
      "A wrong password is told, and a cluster without users is used", arguments: Shape.allCases)
    func logIn(shape: Shape) async throws {
      let folder = try TemporaryFolder()
      let strict = try ScriptedServer { _ in
        ScriptedServer.answer(
          shape.call(3, "etcdserver: authentication failed, invalid user ID or password"),
          status: "400 Bad Request")
      }
      let error = await #expect(throws: EtcdError.self) {
        try await store(strict, user: user(folder)).entries()
      }
      #expect(error?.kind == .wrongPassword(user: "fleet"))
      let open = try ScriptedServer { request in
        if request.path == "auth/authenticate" {
          return ScriptedServer.answer(
            shape.call(9, "etcdserver: authentication is not enabled"), status: "400 Bad Request")
        }
        return ScriptedServer.answer(#"{"header":{"revision":"7"}}"#)
      }
      #expect(try await store(open, user: user(folder)).entries().revision == 7)
    }

    @Test(
      "JSON of others is no refusal of etcd",
      arguments: [
        #"{"code":404,"message":"Not Found"}"#, #"{"message":"Not Found"}"#, #"{"code":5}"#,
        #"{"error":"Not Found"}"#, #"{"error":{"code":404,"message":"Not Found"}}"#, "{}",
      ])
    func foreign(json: String) async throws {
      let server = try ScriptedServer { _ in ScriptedServer.answer(json, status: "404 Not Found") }
      let store = try store(server)
      let read = await #expect(throws: EtcdError.self) { try await store.entries() }
      #expect(read?.kind == .notEtcd(status: 404))
      let stream = await #expect(throws: EtcdError.self) {
        for try await _ in store.changes(after: 1) {}
      }
      #expect(stream?.kind == .notEtcd(status: 404))
    }
  }
#endif
