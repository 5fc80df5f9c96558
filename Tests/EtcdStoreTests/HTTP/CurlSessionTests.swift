#if Etcd
  import Foundation
  import TestSupport
  import Testing
  import Threading

  @testable import EtcdStore

  @Suite(
    "The session of libcurl ends once, and is asked nothing afterwards", .timeLimit(.minutes(10)))
  struct CurlSessionTests {
    private func request(_ endpoint: String) throws -> HTTPRequest {
      HTTPRequest(
        endpoint: try #require(Endpoint(endpoint)), path: "/v3/kv/range", body: Data("{}".utf8),
        token: nil, certificates: try Certificates(EtcdStore.Options(endpoints: [endpoint])),
        connectTimeout: .seconds(60), timeout: .seconds(60))
    }

    @Test("A session without requests ends at once")
    func unused() {
      let session = CurlSession()
      #expect(session.wake())
      session.close()
      #expect(session.isEnded)
      #expect(!session.wake())
    }

    @Test("Requests fail that rely on a thread that cannot be started, and later ones are sent")
    func shortage() async throws {
      let server = try ScriptedServer(endlessPath: "kv/range") { _ in "HTTP/1.1 200 OK\r\n\r\n{" }
      let exchanges = (0..<3).map { _ in HTTPExchange() }
      let request = try request(server.endpoint)
      let current = Lock<CurlSession?>(nil)
      let session = CurlSession { body in
        guard let session = current.withLock({ exchange(&$0, with: nil) }) else {
          return BackgroundThread.start("larder-etcd", body)
        }
        // As another task could do at the same time.
        session.start(request, exchanges[1])
        return false
      }
      current.withLock { $0 = session }
      session.start(request, exchanges[0])
      let failures = Recorder<String>()
      for exchange in exchanges[..<2] {
        Task {
          do { _ = try await exchange.next() } catch { failures.record("\(error)") }
        }
      }
      #expect(await eventually(within: .seconds(20)) { failures.all.count == 2 })
      #expect(failures.all.allSatisfy { $0.contains("the system cannot create another thread") })
      session.start(request, exchanges[2])
      #expect(try await exchanges[2].next() == Data("{".utf8))
      session.close()
    }

    @Test("An exchange that is canceled after the end calls nothing of libcurl")
    func lateCancellation() async throws {
      let server = try ScriptedServer(endlessPath: "kv/range") { _ in "HTTP/1.1 200 OK\r\n\r\n{" }
      let session = CurlSession()
      let exchange = HTTPExchange()
      session.start(try request(server.endpoint), exchange)
      #expect(try await exchange.next() == Data("{".utf8))
      session.close()
      #expect(await eventually { session.isEnded })
      exchange.cancel()
      #expect(!session.wake())
      #expect(await eventually { server.openCount == 0 })
    }

    @Test("Transports end while their exchanges are canceled")
    func race() async throws {
      let server = try ScriptedServer(endlessPath: "kv/range") { _ in "HTTP/1.1 200 OK\r\n\r\n{" }
      for _ in 0..<100 {
        var transport: CurlTransport? = CurlTransport()
        let exchanges = try (0..<4).map { _ in
          try #require(transport).start(try request(server.endpoint))
        }
        await withTaskGroup(of: Void.self) { group in
          for exchange in exchanges { group.addTask { exchange.cancel() } }
          transport = nil
        }
      }
      #expect(await eventually { server.openCount == 0 })
    }

    @Test("The thread ends with the process, while exchanges wait")
    func exit() async throws {
      let server = try ScriptedServer(endlessPath: "kv/range") { _ in "HTTP/1.1 200 OK\r\n\r\n{" }
      let session = CurlSession()
      let exchange = HTTPExchange()
      session.start(try request(server.endpoint), exchange)
      #expect(try await exchange.next() == Data("{".utf8))
      #expect(session.hasThread)
      session.leave()
      #expect(await eventually { !session.hasThread })
      #expect(!session.isEnded)
      #expect(server.openCount == 1)
    }
  }
#endif
