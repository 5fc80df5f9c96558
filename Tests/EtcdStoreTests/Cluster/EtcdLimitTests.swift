#if Etcd
  import EtcdStore
  import Foundation
  import PreferencesSync
  import TestSupport
  import Testing

  @Suite("Limits of etcd, and what is no etcd", .timeLimit(.minutes(10)), .serialized)
  struct EtcdLimitTests {
    @Test("A value over the request limit is rejected, and no other one of its batch")
    func largeValue() async throws {
      let server = try await EtcdServer.start()
      let store = try EtcdStore(EtcdStore.Options(endpoints: [server.endpoint]))
      for size in [2_000_000, 8_000_000] {
        let results = try await store.apply([
          RemoteChange(key: "a\(size)", data: Data([1]), replacing: 0),
          RemoteChange(key: "large", data: Data(count: size), replacing: 0),
          RemoteChange(key: "b\(size)", data: Data([2]), replacing: 0),
        ])
        #expect(results[1] == .rejected(reason: "the cluster accepts no request of this size"))
        try results[0].requireStored()
        try results[2].requireStored()
      }
    }

    @Test("Batches are divided if the cluster accepts less than usual")
    func smallRequests() async throws {
      let server = try await EtcdServer.start([
        "--max-request-bytes", "20000", "--max-txn-ops", "10",
      ])
      let store = try EtcdStore(EtcdStore.Options(endpoints: [server.endpoint]))
      let results = try await store.apply(
        (0..<300).map { RemoteChange(key: "\($0)", data: Data(count: 1000), replacing: 0) })
      for result in results { try result.requireStored() }
      #expect(try await store.entries().entries.count == 300)
    }

    @Test("Large entries are read in smaller pages, and more than the limit is refused")
    func pages() async throws {
      let server = try await EtcdServer.start()
      var options = EtcdStore.Options(endpoints: [server.endpoint])
      options.largestAnswer = 1 << 20
      let store = try EtcdStore(options)
      for number in 0..<20 {
        try await store.put(Data(count: 300_000), forKey: "\(number)", replacing: 0).requireStored()
      }
      #expect(try await store.entries().entries.count == 20)
      options.largestStore = 5_000_000
      let limited = try EtcdStore(options)
      let error = await #expect(throws: EtcdError.self) { try await limited.entries() }
      #expect(
        "\(try #require(error))" == "etcd has more than the 5000000 bytes that are read at most")
    }

    @Test("A full database is reported, and what it has can be read")
    func noSpace() async throws {
      let server = try await EtcdServer.start(["--quota-backend-bytes", "\(4 << 20)"])
      let store = try EtcdStore(EtcdStore.Options(endpoints: [server.endpoint]))
      var stored = 0
      var failure: EtcdError?
      while failure == nil, stored < 100 {
        do {
          try await store.put(Data(count: 500_000), forKey: "\(stored)", replacing: 0)
            .requireStored()
          stored += 1
        } catch let error as EtcdError {
          failure = error
        }
      }
      #expect(
        failure.map { "\($0)" } == """
          \(server.endpoint): the database of etcd is full; compact and defragment it, then disarm \
          the alarm NOSPACE
          """)
      #expect(try await store.entries().entries.count == stored)
    }

    @Test(
      "What is no answer of etcd is one clear error",
      arguments: [
        (
          "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 19\r\n\r\n<html>Log in</html>",
          "what answers is not etcd; it answered with status 200"
        ),
        (
          "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n",
          "what answers is not etcd; it answered with status 302"
        ),
        (
          "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 3\r\n\r\nno\n",
          "what answers is not etcd; it answered with status 502"
        ),
        (
          "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{\"header\":{\"revision\":",
          "the answer of etcd is incomplete"
        ),
        (
          "HTTP/1.1 200 OK\r\nContent-Length: 22\r\n\r\n{\"header\":{\"revision\":",
          "what answers is not etcd; it answered with status 200"
        ),
        (
          "HTTP/1.1 200 OK\r\nContent-Length: 31\r\n\r\n{\"header\":{\"revision\":\"-12x45\"}}",
          "what answers is not etcd; it answered with status 200"
        ),
        ("220 mail.example.org ESMTP\r\n", "what answers is not etcd"),
        (
          "HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "[", count: 100_000),
          "what answers is not etcd; it answered with status 200"
        ),
        (
          "HTTP/1.1 200 OK\r\n\r\n{\"a\":" + String(repeating: "[", count: 900_000),
          "what answers is not etcd; it answered with status 200"
        ),
        (
          "HTTP/1.1 200 OK\r\n\r\n" + String(repeating: " ", count: 2_000_000),
          "etcd has more than the 1000000 bytes that are read at most"
        ),
        (
          "HTTP/1.1 403 Forbidden\r\n\r\n"
            + "{\"error\":\"etcdserver: permission denied\",\"code\":7}",
          "the user may not do this to the entries with the store's prefix"
        ),
        (
          "HTTP/1.1 400 Bad Request\r\n\r\n"
            + "{\"error\":\"a\\u001b[31m\\nb\",\"code\":3}",
          "etcd refused the request: a [31m b"
        ),
      ])
    func foreignAnswer(answer: String, text: String) async throws {
      let server = try ScriptedServer(answer)
      var options = EtcdStore.Options(endpoints: [server.endpoint])
      options.largestAnswer = 1_000_000
      options.resumeTimeout = .zero
      let store = try EtcdStore(options)
      let error = await #expect(throws: EtcdError.self) { try await store.entries() }
      #expect("\(try #require(error))" == "\(server.endpoint): \(text)")
      await #expect(throws: EtcdError.self) {
        _ = try await store.put(Data(), forKey: "k", replacing: 0)
      }
      await #expect(throws: EtcdError.self) { for try await _ in store.changes(after: 1) {} }
    }
  }
#endif
