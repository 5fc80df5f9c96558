#if Etcd
  import EtcdStore
  import Foundation
  import PreferencesSync
  import TestSupport
  import Testing

  @Suite("Certificates and users of etcd", .timeLimit(.minutes(10)), .serialized)
  struct EtcdSecurityTests {
    let certificates: TestCertificates

    init() throws { certificates = try TestCertificates() }

    /// Options with the certificate authority.
    private func options(_ server: EtcdServer) -> EtcdStore.Options {
      var options = EtcdStore.Options(endpoints: [server.endpoint])
      options.certificateAuthorityFile = certificates.path("ca.pem")
      options.resumeTimeout = .zero
      return options
    }

    /// The error of reading everything.
    private func error(_ options: EtcdStore.Options) async throws -> EtcdError? {
      let store = try EtcdStore(options)
      await #expect(throws: EtcdError.self) { for try await _ in store.changes(after: 1) {} }
      return await #expect(throws: EtcdError.self) { try await store.entries() }
    }

    /// Whether the error is one of a certificate, with a word.
    private func isCertificateError(_ error: EtcdError?, _ word: String) -> Bool {
      guard case .certificate(let reason)? = error?.kind else { return false }
      return reason.contains(word)
    }

    @Test("The certificate of the server has to be signed by the authority")
    func serverCertificate() async throws {
      let server = try await EtcdServer.start(certificates: certificates)
      var options = options(server)
      #expect(try await EtcdStore(options).entries().entries == [])
      options.certificateAuthorityFile = certificates.path("stranger.pem")
      #expect(isCertificateError(try await error(options), "certificate"))
      options.certificateAuthorityFile = nil
      #expect(isCertificateError(try await error(options), "certificate"))
      // The name also counts.
      options.certificateAuthorityFile = certificates.path("ca.pem")
      options.endpoints = ["https://localhost:\(server.clientPort)"]
      #expect(try await EtcdStore(options).entries().entries == [])
    }

    @Test(
      "A certificate that does not count is refused",
      arguments: [("other", "matches target host name"), ("expired", "expired")])
    func wrongCertificate(name: String, word: String) async throws {
      let server = try TLSServer(certificates, name)
      var options = EtcdStore.Options(endpoints: [server.endpoint])
      options.certificateAuthorityFile = certificates.path("ca.pem")
      options.resumeTimeout = .zero
      let error = try await error(options)
      #expect(isCertificateError(error, word), "\(String(describing: error))")
    }

    @Test("A server that wants a certificate of the client gets it")
    func clientCertificate() async throws {
      let server = try await EtcdServer.start(
        certificates: certificates, wantsClientCertificates: true)
      var options = options(server)
      #expect(isCertificateError(try await error(options), "certificate"))
      options.clientCertificate = EtcdStore.ClientCertificate(
        file: certificates.path("client.pem"), privateKeyFile: certificates.path("client.key"))
      let store = try EtcdStore(options)
      try await store.put(Data([1]), forKey: "k", replacing: 0).requireStored()
      for try await update in store.changes(after: 1) {
        #expect(update.entries.map(\.key) == ["k"])
        break
      }
      // A key of another certificate.
      options.clientCertificate?.privateKeyFile = certificates.path("server.key")
      guard case .certificate? = try await error(options)?.kind else {
        Issue.record("the key was accepted")
        return
      }
    }

    /// Writes a password to a file that only its owner may read.
    private func passwordFile(_ password: String, in folder: TemporaryFolder) throws -> String {
      try folder.write(password, to: "password")
      chmod(folder.path("password"), 0o600)
      return folder.path("password")
    }

    @Test("A user logs in, and may do what is permitted")
    func user() async throws {
      let server = try await EtcdServer.startWithUsers(certificates)
      let folder = try TemporaryFolder()
      var options = options(server)
      #expect(try await error(options)?.kind == .unauthenticated)
      options.user = EtcdStore.User(
        name: "fleet", passwordFile: try passwordFile("fleet-secret\n", in: folder))
      let store = try EtcdStore(options)
      try await store.put(Data([1]), forKey: "k", replacing: 0).requireStored()
      for try await update in store.changes(after: 1) {
        #expect(update.entries.map(\.key) == ["k"])
        break
      }
      options.prefix = "secret/"
      #expect(try await error(options)?.kind == .permissionDenied)
      options.prefix = "larder/"
      _ = try passwordFile("wrong-secret", in: folder)
      let wrong = try #require(try await error(options))
      #expect(
        "\(wrong)"
          == "\(server.endpoint): the name or the password of the user fleet is wrong")
      // The store that has a token continues.
      #expect(try await store.entries().entries.count == 1)
    }

    @Test("A user who may only read the registry changes values without a mark")
    func readOnlyRegistry() async throws {
      let server = try await EtcdServer.startWithUsers(certificates)
      func control(_ words: String...) async throws {
        try await server.control(["--user", "root:root-secret", "role"] + words)
      }
      try await control("revoke-permission", "fleet", "larder/", "larder0")
      try await control("grant-permission", "fleet", "read", "larder/", "larder0")
      try await control(
        "grant-permission", "fleet", "readwrite", "--prefix=true", "larder/domains/")
      let folder = try TemporaryFolder()
      var options = options(server)
      options.user = EtcdStore.User(
        name: "fleet", passwordFile: try passwordFile("fleet-secret\n", in: folder))
      let store = try EtcdStore(options)
      let (values, registry) = (store.values(ofDomain: "d"), store.registry(ofDomain: "d"))
      let change = RemoteChange(key: "k", data: Data([1]), replacing: 0)
      #expect(try await values.apply([change], with: change, of: registry) == nil)
      #expect(try await store.entries().entries == [])
      try await values.put(Data([1]), forKey: "k", replacing: 0).requireStored()
    }

    @Test("Users and certificates of clients go together if the certificates have no common name")
    func userWithCertificate() async throws {
      let server = try await EtcdServer.startWithUsers(certificates, wantsClientCertificates: true)
      let folder = try TemporaryFolder()
      var options = options(server)
      options.user = EtcdStore.User(
        name: "fleet", passwordFile: try passwordFile("fleet-secret", in: folder))
      for name in ["client", "nameless"] {
        options.clientCertificate = EtcdStore.ClientCertificate(
          file: certificates.path("\(name).pem"), privateKeyFile: certificates.path("\(name).key"))
        if name == "client" {
          #expect(try await error(options)?.kind == .namedCertificate)
          continue
        }
        let store = try EtcdStore(options)
        try await store.put(Data([1]), forKey: "k", replacing: 0).requireStored()
        for try await update in store.changes(after: 1) {
          #expect(update.entries.map(\.key) == ["k"])
          break
        }
      }
    }

    @Test("A token that has expired, or that its server has forgotten, is renewed")
    func token() async throws {
      let server = try await EtcdServer.startWithUsers(certificates, ["--auth-token-ttl", "1"])
      let folder = try TemporaryFolder()
      var options = options(server)
      options.resumeTimeout = .seconds(120)
      options.user = EtcdStore.User(
        name: "fleet", passwordFile: try passwordFile("fleet-secret", in: folder))
      let store = try EtcdStore(options)
      async let keys = EtcdStreamTests.keys(of: store, count: 3)
      try await store.put(Data([1]), forKey: "k0", replacing: 0).requireStored()
      // Time itself is what is tried.
      try await Task.sleep(for: .seconds(4))
      try await store.put(Data([1]), forKey: "k1", replacing: 0).requireStored()
      server.kill()
      try server.launch()
      try await EtcdStreamTests.put(2..<3, to: store)
      #expect(try await keys == ["k0", "k1", "k2"])
    }

    @Test("Passwords and keys appear in no error")
    func secrecy() async throws {
      let server = try await EtcdServer.startWithUsers(certificates)
      let folder = try TemporaryFolder()
      var options = options(server)
      options.user = EtcdStore.User(
        name: "fleet", passwordFile: try passwordFile("hidden-word", in: folder))
      var texts: [String] = []
      func note(_ error: EtcdError?) {
        if let error { texts += ["\(error)", String(reflecting: error)] }
      }
      note(try await error(options))
      chmod(folder.path("password"), 0o644)
      note(try await error(options))
      server.kill()
      chmod(folder.path("password"), 0o600)
      note(try await error(options))
      #expect(texts.count == 6)
      for text in texts { #expect(!text.contains("hidden-word")) }
    }
  }
#endif
