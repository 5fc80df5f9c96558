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

    @Test("Each member tells its time, and one with two addresses once")
    func clocks() async throws {
      let servers = try await EtcdServer.startCluster(3)
      let endpoints = servers.map(\.endpoint)
      let store = try EtcdStore(
        EtcdStore.Options(
          endpoints: endpoints + endpoints.map { $0.replacing("127.0.0.1", with: "localhost") }))
      let contacts = await store.contacts()
      #expect(contacts.count == 3)
      for contact in contacts {
        #expect(abs(try #require(contact.date).timeIntervalSinceNow) < 60)
      }
      #expect(store.latestContact == nil)
      servers[0].kill()
      #expect(await store.contacts().count == 2)
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
      "A member that stops answering is not a connection, nor are attempts to reach it contacts",
      arguments: [true, false])
    func silence(isServerStopped: Bool) async throws {
      let server = try await EtcdServer.start()
      let proxy = try TestProxy(to: server.clientPort)
      var options = EtcdStore.Options(endpoints: [proxy.endpoint])
      options.keepAliveInterval = .milliseconds(100)
      options.requestTimeout = .seconds(1)
      options.resumeTimeout = .zero
      let machine = try Machine(options, ["k"])
      machine.store.set(1, forKey: "k")
      try await machine.synchronizer.waitForCompletion()
      if isServerStopped { server.signal(SIGSTOP) } else { proxy.set(.silent) }
      defer { server.signal(SIGCONT) }
      let start = Date()
      #expect(await eventually { machine.synchronizer.status.lastErrorDate != nil })
      let date = try #require(machine.synchronizer.status.lastErrorDate)
      machine.synchronizer.synchronize()
      #expect(await eventually { machine.synchronizer.status.lastErrorDate.map { $0 > date }! })
      let status = machine.synchronizer.status
      #expect(!status.isConnected)
      #expect(status.endpoint == nil)
      #expect(try #require(status.lastContact) < start + 0.5)
      server.signal(SIGCONT)
      proxy.set(.open)
      machine.synchronizer.synchronize()
      #expect(await eventually { machine.synchronizer.status.isConnected })
      #expect(try #require(machine.synchronizer.status.lastContact) > date)
    }

    /// Sets a key whose upload is refused, and checks that changes still arrive over the same stream.
    private func checkDownloads(
      _ machine: Machine, refusal: String, streamCount: Double = 1, metrics: Int,
      _ change: (Int) async throws -> Void
    ) async throws {
      #expect(try await eventually { try EtcdMetrics(port: metrics).streamCount == streamCount })
      let started = try EtcdMetrics(port: metrics).startedStreamCount
      machine.store.set("refused", forKey: "k")
      #expect(await eventually { machine.synchronizer.status.isUploadFailing })
      for number in 1...2 {
        #expect(await eventually { machine.failures.withLock { $0.count } >= number })
        let revision = machine.synchronizer.status.revision
        try await change(number)
        #expect(await eventually { machine.synchronizer.status.revision > revision })
        machine.synchronizer.synchronize()
      }
      #expect(machine.failures.withLock { $0.allSatisfy { $0.contains(refusal) } })
      #expect(machine.synchronizer.status.isUploadFailing)
      #expect(machine.synchronizer.isConnected)
      #expect(try EtcdMetrics(port: metrics).startedStreamCount == started)
    }

    @Test("Changes of others arrive while a user may not upload")
    func permission() async throws {
      let certificates = try TestCertificates()
      let metrics = try FreePort.next()
      let server = try await EtcdServer.startWithUsers(
        certificates, ["--listen-metrics-urls", "http://127.0.0.1:\(metrics)"])
      for words in [
        "role add reader", "role grant-permission reader read larder/ larder0",
        "user add reader:reader-secret", "user grant-role reader reader",
      ] {
        try await server.control(
          ["--user", "root:root-secret"] + words.split(separator: " ").map(String.init))
      }
      let folder = try TemporaryFolder()
      let machines = try ["fleet", "reader"].map { name in
        var options = EtcdStore.Options(endpoints: [server.endpoint])
        options.certificateAuthorityFile = certificates.path("ca.pem")
        try folder.write("\(name)-secret", to: name)
        chmod(folder.path(name), 0o600)
        options.user = EtcdStore.User(name: name, passwordFile: folder.path(name))
        return try Machine(options, ["k", "l"])
      }
      for machine in machines { try await machine.synchronizer.waitForCompletion() }
      try await checkDownloads(
        machines[1], refusal: "the user may not do this", streamCount: 2, metrics: metrics
      ) { number in
        machines[0].store.set(number, forKey: "l")
        #expect(await eventually { machines[1].store.integer(forKey: "l") == number })
      }
    }

    @Test("Changes of others arrive while the database is full")
    func noSpace() async throws {
      let metrics = try FreePort.next()
      let server = try await EtcdServer.start([
        "--quota-backend-bytes", "\(4 << 20)", "--listen-metrics-urls",
        "http://127.0.0.1:\(metrics)",
      ])
      for number in 1...2 { try await server.control("put", "larder/other\(number)", "\(number)") }
      let machine = try Machine(EtcdStore.Options(endpoints: [server.endpoint]), ["k"])
      try await machine.synchronizer.waitForCompletion()
      try await server.fill()
      try await checkDownloads(machine, refusal: "the database of etcd is full", metrics: metrics) {
        // A full database accepts no other changes than removals.
        try await server.control("del", "larder/other\($0)")
      }
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
