#if Etcd
  import Foundation
  import Preferences
  import PreferencesSync
  import TestSupport
  import Testing
  import Threading

  @testable import EtcdStore

  @Suite("One stream serves all parts of a store", .timeLimit(.minutes(10)), .serialized)
  struct WatchHubTests {
    /// A server with TLS, and options for it.
    private func serverWithTLS(
      _ arguments: [String] = []
    ) async throws -> (server: EtcdServer, options: EtcdStore.Options, metrics: Int) {
      let certificates = try TestCertificates()
      let port = try FreePort.next()
      let server = try await EtcdServer.start(
        certificates: certificates,
        arguments + ["--listen-metrics-urls", "http://127.0.0.1:\(port)"])
      var options = EtcdStore.Options(endpoints: [server.endpoint])
      options.certificateAuthorityFile = certificates.path("ca.pem")
      options.resumeTimeout = .seconds(120)
      return (server, options, port)
    }

    /// The keys and the end of the changes of a part.
    private final class Receiver: Sendable {
      let keys = Recorder<String>()
      private let end = Lock<(any Error)?>(nil)
      private let task: Task<Void, Never>

      init(_ changes: AsyncThrowingStream<RemoteUpdate, any Error>) {
        task = Task { [keys, end] in
          do {
            for try await update in changes {
              for entry in update.entries { keys.record(entry.key) }
            }
          } catch {
            end.withLock { $0 = error }
          }
        }
      }

      deinit { task.cancel() }

      var error: (any Error)? { end.withLock { $0 } }

      func cancel() { task.cancel() }
    }

    @Test("Every part gets its own changes, also while another one is added")
    func parts() async throws {
      let (server, options, metrics) = try await serverWithTLS()
      let store = try EtcdStore(options)
      let writer = try EtcdStore(options)
      let parts = (0..<20).map { "domains/\($0)/" }
      let before = try EtcdMetrics(port: metrics)
      var receivers = parts.map { Receiver(store.partition($0).changes(after: 1)) }
      #expect(
        try await eventually {
          let now = try EtcdMetrics(port: metrics)
          return try now.streamCount == before.streamCount + 1
            && now.watcherCount == before.watcherCount + 20
        })
      for round in 0..<10 {
        if round == 5 { receivers.append(Receiver(store.partition("late/").changes(after: 1))) }
        for part in parts + ["late/"] {
          try await writer.partition(part).put(Data(), forKey: "\(round)", replacing: 0)
            .requireStored()
        }
      }
      for receiver in receivers {
        #expect(await eventually { receiver.keys.all.count == 10 })
        #expect(receiver.keys.all == (0..<10).map { "\($0)" })
        #expect(receiver.error == nil)
      }
      #expect(
        try await eventually {
          try EtcdMetrics(port: metrics).streamCount == before.streamCount + 1
        })
      // One after the other, the parts leave the stream, which ends with the last.
      for receiver in receivers.dropFirst() { receiver.cancel() }
      try await writer.partition(parts[0]).put(Data(), forKey: "10", replacing: 0).requireStored()
      #expect(await eventually { receivers[0].keys.all.last == "10" })
      receivers = []
      #expect(
        try await eventually {
          try EtcdMetrics(port: metrics).streamCount == before.streamCount
        })
      withExtendedLifetime((server, store)) {}
    }

    @Test("All domains of a process share a stream again after a time without the cluster")
    func domains() async throws {
      let (server, usual, metrics) = try await serverWithTLS()
      var options = usual
      // Each domain reads everything again, and returns when its own pause is over.
      options.resumeTimeout = .zero
      let folder = try TemporaryFolder()
      let before = try EtcdMetrics(port: metrics)
      let machines = try (0..<2).map { machine in
        let remote = try EtcdStore(options)
        return (0..<8).map { number in
          let store = PreferencesStore(fileAt: folder.path("store\(machine)-\(number).plist"))
          let synchronizer = PreferencesSynchronizer(
            store: store, remote: remote.values(ofDomain: "\(number)"),
            stateFileAt: folder.path("state\(machine)-\(number).plist"))
          synchronizer.add(["k"])
          return (store: store, synchronizer: synchronizer)
        }
      }
      defer { for domain in machines.joined() { domain.synchronizer.cancel() } }
      for round in 1...2 {
        for domain in machines[0] { domain.store.set(round, forKey: "k") }
        #expect(
          await eventually {
            machines[1].allSatisfy { $0.store.integer(forKey: "k") == round }
          })
        #expect(
          try await eventually {
            let now = try EtcdMetrics(port: metrics)
            return try now.streamCount - (round == 1 ? before.streamCount : 0) == 2
              && now.watcherCount - (round == 1 ? before.watcherCount : 0) == 16
          })
        if round == 2 { break }
        server.kill()
        #expect(
          await eventually { machines.joined().allSatisfy { !$0.synchronizer.isConnected } })
        try server.launch()
      }
    }

    @Test("What ends one part does not end the others")
    func compaction() async throws {
      let (server, options, _) = try await serverWithTLS()
      let store = try EtcdStore(options)
      let parts = ["a/", "b/", "c/"].map { store.partition($0) }
      for number in 0..<3 {
        try await parts[number].put(Data(), forKey: "first", replacing: 0).requireStored()
      }
      let snapshot = try await store.entries()
      try await server.compact()
      // The second one begins before the compaction, and the third one where nothing is.
      let receivers = zip(parts, [snapshot.revision, 1, .max]).map { part, revision in
        Receiver(part.changes(after: revision))
      }
      for receiver in receivers.dropFirst() {
        #expect(await eventually { receiver.error != nil })
        #expect(receiver.error as? RemoteStoreError == .revisionCompacted)
      }
      try await parts[0].put(Data(), forKey: "second", replacing: 0).requireStored()
      #expect(await eventually { receivers[0].keys.all == ["second"] })
      #expect(receivers[0].error == nil)
      withExtendedLifetime(server) {}
    }

    @Test("A part that the user may not read does not keep the others from being read")
    func permission() async throws {
      let certificates = try TestCertificates()
      let server = try await EtcdServer.startWithUsers(certificates)
      let folder = try TemporaryFolder()
      try folder.write("fleet-secret", to: "password")
      chmod(folder.path("password"), 0o600)
      var options = EtcdStore.Options(endpoints: [server.endpoint])
      options.certificateAuthorityFile = certificates.path("ca.pem")
      options.user = EtcdStore.User(name: "fleet", passwordFile: folder.path("password"))
      options.prefix = ""
      let store = try EtcdStore(options)
      let names = ["larder/a/", "secret/", "larder/b/"]
      let receivers = names.map { Receiver(store.partition($0).changes(after: 1)) }
      #expect(await eventually { receivers[1].error != nil })
      #expect((receivers[1].error as? EtcdError)?.kind == .permissionDenied)
      for (name, receiver) in [(names[0], receivers[0]), (names[2], receivers[2])] {
        try await store.partition(name).put(Data(), forKey: "k", replacing: 0).requireStored()
        #expect(await eventually { receiver.keys.all == ["k"] })
        #expect(receiver.error == nil)
      }
      withExtendedLifetime(server) {}
    }

    @Test("A stream of several parts goes on elsewhere if its connections carry nothing more")
    func silence() async throws {
      let (server, direct, _) = try await serverWithTLS()
      var options = direct
      let proxies = [
        try TestProxy(to: server.clientPort), try TestProxy(to: server.clientPort),
      ]
      options.endpoints = proxies.map { "https://127.0.0.1:\($0.port)" }
      options.keepAliveInterval = .milliseconds(100)
      options.requestTimeout = .seconds(1)
      let store = try EtcdStore(options)
      let receivers = ["a/", "b/"].map { Receiver(store.partition($0).changes(after: 1)) }
      let writer = try EtcdStore(direct)
      for number in 0..<20 {
        for part in ["a/", "b/"] {
          try await writer.partition(part).put(Data(), forKey: "\(number)", replacing: 0)
            .requireStored()
        }
        guard number == 10 else { continue }
        for receiver in receivers { #expect(await eventually { receiver.keys.all.count == 11 }) }
        proxies[0].set(.silent)
      }
      for receiver in receivers {
        #expect(await eventually { receiver.keys.all == (0..<20).map { "\($0)" } })
        #expect(receiver.error == nil)
      }
      proxies[0].set(.open)
      server.kill()
      try server.launch()
      for part in ["a/", "b/"] {
        try await repeated {
          _ = try await writer.partition(part).put(Data(), forKey: "last", replacing: 0)
        }
      }
      for receiver in receivers { #expect(await eventually { receiver.keys.all.last == "last" }) }
    }

    /// A hub without TLS. Its two requests fit into what the gateway reads at once.
    private func hub(_ options: EtcdStore.Options) throws -> WatchHub {
      WatchHub(GatewayClient(options, try options.checkedEndpoints(), CurlTransport().start))
    }

    @Test("A stream that is stuck is noticed by what it has not delivered for any of its parts")
    func wedge() async throws {
      let server = try await EtcdServer.start()
      let proxy = try TestProxy(to: server.clientPort)
      var options = EtcdStore.Options(endpoints: [proxy.endpoint])
      options.keepAliveInterval = .milliseconds(100)
      options.resumeTimeout = .seconds(120)
      let hub = try hub(options)
      let receivers = ["a/", "b/"].map {
        Receiver(hub.changes(of: KeySpace(prefix: $0), after: 1))
      }
      options.endpoints = [server.endpoint]
      options.prefix = ""
      let writer = try EtcdStore(options)
      for number in 0..<2 {
        for part in ["a/", "b/"].dropFirst(number) {
          try await writer.partition(part).put(Data(), forKey: "\(number)", replacing: 0)
            .requireStored()
        }
        for receiver in receivers.dropFirst(number) {
          #expect(await eventually { receiver.keys.all.last == "\(number)" })
        }
        proxy.holdStreams()
      }
      withExtendedLifetime(server) {}
    }

    @Test("A gateway that reads only the first request of a stream gets one in each")
    func droppedRequests() async throws {
      let server = try ScriptedServer(endlessPath: "watch") { request in
        request.path == "watch"
          ? "HTTP/1.1 200 OK\r\n\r\n" + #"{"result":{"created":true}}"# + "\n"
          : ScriptedServer.answer(#"{"header":{"revision":"1"}}"#)
      }
      var options = EtcdStore.Options(endpoints: [server.endpoint])
      options.requestTimeout = .seconds(1)
      let hub = try hub(options)
      let receivers = ["a/", "b/"].map {
        Receiver(hub.changes(of: KeySpace(prefix: $0), after: 1))
      }
      for receiver in receivers {
        #expect(await eventually { receiver.error != nil })
        #expect(
          (receiver.error as? EtcdError)?.kind
            == .refused(reason: "a stream serves only some of its requests"))
      }
    }

    @Test("A connection that is stuck before all parts are confirmed has lost no requests")
    func stuckConfirmations() async throws {
      let (server, direct, metrics) = try await serverWithTLS()
      let proxy = try TestProxy(to: server.clientPort)
      // The handshake and some of the confirmations.
      proxy.limitAnswers(to: 5000)
      var options = direct
      options.endpoints = ["https://127.0.0.1:\(proxy.port)"]
      options.requestTimeout = .seconds(1)
      options.resumeTimeout = .zero
      let store = try EtcdStore(options)
      let parts = (0..<40).map { store.partition("\($0)/") }
      var receivers = parts.map { Receiver($0.changes(after: 1)) }
      for receiver in receivers {
        #expect(await eventually { receiver.error != nil })
        #expect((receiver.error as? EtcdError)?.kind == .timedOut)
      }
      proxy.limitAnswers(to: .max)
      receivers = parts.map { Receiver($0.changes(after: 1)) }
      #expect(
        try await eventually {
          let now = try EtcdMetrics(port: metrics)
          return try now.streamCount == 1 && now.watcherCount == 40
        })
      withExtendedLifetime((server, receivers)) {}
    }

    @Test("What ends a part while another is not yet confirmed ends no other")
    func earlyCancellation() async throws {
      let names = ["a/", "b/"]
      let events = names.map { name in
        let key = Data("larder/\(name)k".utf8).base64EncodedString()
        return #"{"kv":{"key":"\#(key)","mod_revision":"9"}}"#
      }
      let server = try ScriptedServer(endlessPath: "watch") { request in
        request.path == "watch"
          ? """
          HTTP/1.1 200 OK\r\n\r\n{"result":{"created":true}}
          {"result":{"canceled":true,"compact_revision":"7"}}
          {"result":{"watch_id":"1","created":true}}
          {"result":{"watch_id":"1","events":[\(events.joined(separator: ","))]}}

          """ : ScriptedServer.answer(#"{"header":{"revision":"1"}}"#)
      }
      let hub = try hub(EtcdStore.Options(endpoints: [server.endpoint]))
      let receivers = names.map { name in
        Receiver(hub.changes(of: KeySpace(prefix: "larder/\(name)"), after: 1))
      }
      #expect(await eventually { receivers.contains { $0.keys.all == ["k"] } })
      #expect(await eventually { receivers.contains { $0.error != nil } })
      let errors = receivers.compactMap(\.error)
      #expect(errors.map { $0 as? RemoteStoreError } == [.revisionCompacted])
    }

    @Test("A part whose receiver is slow gets the latest, and delays no other")
    func slowReceiver() async throws {
      let (server, options, _) = try await serverWithTLS()
      let store = try EtcdStore(options)
      var slow = store.partition("slow/").changes(after: 1).makeAsyncIterator()
      let receiver = Receiver(store.partition("fast/").changes(after: 1))
      let (busy, quick) = (store.partition("slow/"), store.partition("fast/"))
      let data = Data(repeating: 7, count: 500_000)
      var revision: Int64 = 0
      for number in 0..<100 {
        revision = try await busy.put(data, forKey: "k", replacing: revision).requireStored()
        try await quick.put(Data(), forKey: "\(number)", replacing: 0).requireStored()
      }
      #expect(await eventually { receiver.keys.all.count == 100 })
      let update = try #require(try await slow.next())
      #expect(
        update.entries == [RemoteEntry(key: "k", data: data, revision: update.entries[0].revision)])
      #expect(update.revision <= revision)
      withExtendedLifetime(server) {}
    }
  }
#endif
