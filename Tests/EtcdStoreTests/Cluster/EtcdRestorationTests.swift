#if Etcd
  import EtcdStore
  import Foundation
  import Preferences
  import PreferencesSync
  import TestSupport
  import Testing
  import Threading

  @Suite(
    "Clusters that lose what they had, or their majority", .timeLimit(.minutes(10)), .serialized)
  struct EtcdRestorationTests {
    @Test(
      "A stream notices that the cluster was restored from a backup, or is empty",
      arguments: [true, false])
    func restoration(isBackup: Bool) async throws {
      let server = try await EtcdServer.start()
      var options = EtcdStore.Options(endpoints: [server.endpoint])
      options.resumeTimeout = .seconds(120)
      let store = try EtcdStore(options)
      try await EtcdStreamTests.put(0..<5, to: store)
      if isBackup {
        server.kill()
        try server.backUp()
        try server.launch()
      }
      try await EtcdStreamTests.put(5..<10, to: store)
      var updates = store.changes(after: 1).makeAsyncIterator()
      let revision = try await store.entries().revision
      while let update = try await updates.next(), update.revision < revision {}
      server.kill()
      try server.restore(fromBackup: isBackup)
      try server.launch()
      await #expect(throws: RemoteStoreError.revisionCompacted) { try await updates.next() }
      let left = try await repeated { try await store.entries() }
      #expect(left.entries.count == (isBackup ? 5 : 0))
      #expect(left.revision < revision)
    }

    @Test("A stream that slept notices that the cluster was restored and has overtaken it")
    func overtaken() async throws {
      let server = try await EtcdServer.start()
      let proxy = try TestProxy(to: server.clientPort)
      var options = EtcdStore.Options(endpoints: [proxy.endpoint])
      options.resumeTimeout = .seconds(120)
      let sleeper = try EtcdStore(options)
      let store = try EtcdStore(EtcdStore.Options(endpoints: [server.endpoint]))
      try await EtcdStreamTests.put(0..<5, to: store)
      server.kill()
      try server.backUp()
      try server.launch()
      try await EtcdStreamTests.put(5..<10, to: store)
      let revision = try await store.entries().revision
      var updates = sleeper.changes(after: 1).makeAsyncIterator()
      while let update = try await updates.next(), update.revision < revision {}
      proxy.set(.closed)
      server.kill()
      try server.restore(fromBackup: true)
      try server.launch()
      try await EtcdStreamTests.put(20..<40, to: store)
      proxy.set(.open)
      await #expect(throws: RemoteStoreError.revisionCompacted) { try await updates.next() }
    }

    @Test("A machine that slept agrees again after the cluster was restored and has overtaken it")
    func overtakenMachine() async throws {
      let server = try await EtcdServer.start()
      let proxy = try TestProxy(to: server.clientPort)
      let folder = try TemporaryFolder()
      func machine(_ name: String, _ endpoint: String) throws
        -> (store: PreferencesStore, synchronizer: PreferencesSynchronizer)
      {
        let store = PreferencesStore(fileAt: folder.path("\(name).plist"))
        var options = EtcdStore.Options(endpoints: [endpoint])
        options.resumeTimeout = .seconds(120)
        let synchronizer = PreferencesSynchronizer(
          store: store, remote: try EtcdStore(options),
          stateFileAt: folder.path("\(name)-state.plist"))
        synchronizer.add((0..<20).map { "k\($0)" })
        return (store, synchronizer)
      }
      let sleeper = try machine("sleeper", proxy.endpoint)
      defer { sleeper.synchronizer.cancel() }
      sleeper.store.set(1, forKey: "k1")
      try await sleeper.synchronizer.waitForCompletion()
      server.kill()
      try server.backUp()
      try server.launch()
      for number in 1..<5 {
        sleeper.store.set(number, forKey: "k2")
        try await sleeper.synchronizer.waitForCompletion()
      }
      proxy.set(.closed)
      server.kill()
      try server.restore(fromBackup: true)
      try server.launch()
      let other = try machine("other", server.endpoint)
      defer { other.synchronizer.cancel() }
      // The first changes have revisions that the sleeper has already seen.
      for number in 3..<20 {
        other.store.set(number, forKey: "k\(number)")
        try await other.synchronizer.waitForCompletion()
      }
      proxy.set(.open)
      let values = (3..<20).map { ($0, $0) } + [(1, 1), (2, 4)]
      for machine in [sleeper, other] {
        #expect(
          await eventually {
            values.allSatisfy { machine.store.integer(forKey: "k\($0)") == $1 }
          })
      }
    }

    @Test("Machines agree again after their cluster was restored", arguments: [true, false])
    func machines(isBackup: Bool) async throws {
      let server = try await EtcdServer.start()
      let folder = try TemporaryFolder()
      let machines = try (0..<2).map { number in
        let store = PreferencesStore(fileAt: folder.path("store\(number).plist"))
        var options = EtcdStore.Options(endpoints: [server.endpoint])
        options.resumeTimeout = .seconds(120)
        let synchronizer = PreferencesSynchronizer(
          store: store, remote: try EtcdStore(options),
          stateFileAt: folder.path("state\(number).plist"))
        synchronizer.add((0..<40).map { "k\($0)" })
        return (store: store, synchronizer: synchronizer)
      }
      defer { for machine in machines { machine.synchronizer.cancel() } }
      func write(_ numbers: Range<Int>, on machine: Int) async throws {
        for number in numbers { machines[machine].store.set(number, forKey: "k\(number)") }
        let all = (1..<numbers.upperBound).map { "k\($0)" }
        #expect(
          await eventually {
            machines.allSatisfy { machine in
              all.allSatisfy { machine.store.integer(forKey: $0) == Int($0.dropFirst()) }
            }
          })
        try await machines[machine].synchronizer.waitForCompletion()
      }
      // Values other than 0, because an absent value is read as 0.
      try await write(1..<5, on: 0)
      if isBackup {
        server.kill()
        try server.backUp()
        try server.launch()
      }
      // One after the other, so that there are more revisions than the ones made afterwards.
      for number in 5..<30 { try await write(number..<number + 1, on: 0) }
      server.kill()
      try server.restore(fromBackup: isBackup)
      try server.launch()
      try await write(30..<32, on: 1)
      try await write(32..<33, on: 0)
    }

    @Test("A stream ends if no member has a majority behind it")
    func minority() async throws {
      let servers = try await EtcdServer.startCluster(3)
      var options = EtcdStore.Options(endpoints: servers.map(\.endpoint))
      options.requestTimeout = .seconds(2)
      options.keepAliveInterval = .milliseconds(200)
      options.resumeTimeout = .seconds(1)
      let store = try EtcdStore(options)
      var updates = store.changes(after: 1).makeAsyncIterator()
      try await EtcdStreamTests.put(0..<1, to: store)
      #expect(try await updates.next()?.entries.count == 1)
      for server in servers.dropFirst() { server.kill() }
      await #expect(throws: EtcdError.self) { while try await updates.next() != nil {} }
      let contact = store.latestContact
      // The remaining member accepts a stream, but that does not count as a contact.
      await #expect(throws: EtcdError.self) { for try await _ in store.changes(after: 1) {} }
      #expect(store.latestContact == contact)
      withExtendedLifetime(servers) {}
    }

    @Test(
      "A member that loses the majority ends its streams, before anybody looks",
      arguments: [false, true])
    func lonelyMember(hasTLS: Bool) async throws {
      let certificates = hasTLS ? try TestCertificates() : nil
      let servers = try await EtcdServer.startCluster(3, certificates: certificates)
      var options = EtcdStore.Options(endpoints: [servers[0].endpoint])
      if let certificates {
        options.certificateAuthorityFile = certificates.path("ca.pem")
        options.clientCertificate = EtcdStore.ClientCertificate(
          file: certificates.path("client.pem"), privateKeyFile: certificates.path("client.key"))
      }
      options.keepAliveInterval = .seconds(3600)
      options.resumeTimeout = .zero
      let store = try EtcdStore(options)
      var updates = store.changes(after: 1).makeAsyncIterator()
      // With TLS, over the same stream.
      var others = store.partition("other/").changes(after: 1).makeAsyncIterator()
      try await EtcdStreamTests.put(0..<1, to: store)
      #expect(try await updates.next()?.entries.count == 1)
      for server in servers.dropFirst() { server.kill() }
      await #expect(throws: EtcdError.self) { while try await updates.next() != nil {} }
      await #expect(throws: EtcdError.self) { while try await others.next() != nil {} }
      withExtendedLifetime(servers) {}
    }

    @Test("Nothing is left of streams that etcd refuses, which it does not end")
    func refusal() async throws {
      let certificates = try TestCertificates()
      let server = try await EtcdServer.startWithUsers(certificates)
      let folder = try TemporaryFolder()
      try folder.write("fleet-secret", to: "password")
      chmod(folder.path("password"), 0o600)
      let proxy = try TestProxy(to: server.clientPort)
      var options = EtcdStore.Options(endpoints: ["https://127.0.0.1:\(proxy.port)"])
      options.certificateAuthorityFile = certificates.path("ca.pem")
      options.user = EtcdStore.User(name: "fleet", passwordFile: folder.path("password"))
      options.prefix = "secret/"
      let store = try EtcdStore(options)
      for _ in 0..<10 {
        let error = await #expect(throws: EtcdError.self) {
          for try await _ in store.changes(after: 1) {}
        }
        #expect(error?.kind == .permissionDenied)
      }
      // A connection that is kept for further calls.
      #expect(await eventually { proxy.connectionCount <= 1 })
      withExtendedLifetime(store) {}
    }
  }
#endif
