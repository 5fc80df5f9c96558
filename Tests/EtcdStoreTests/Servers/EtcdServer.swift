#if Etcd
  import EtcdStore
  import Foundation
  import TestSupport
  import Testing
  import Threading

  /// A member of an etcd cluster on this machine, ended with its last reference.
  final class EtcdServer: Sendable {
    let folder: TemporaryFolder
    let clientPort: Int
    let certificates: TestCertificates?
    /// Where it runs; nil for loopback.
    let host: TestNetwork.Host?
    private let arguments: [String]
    private let process: Lock<ChildProcess?>

    /// Starts a cluster of one member, and waits until it answers.
    ///
    /// - Parameters:
    ///   - certificates: The certificates of a server with TLS; nil for one without.
    ///   - wantsClientCertificates: Whether a client must also have a certificate.
    ///   - arguments: More arguments of etcd.
    static func start(
      certificates: TestCertificates? = nil, serverCertificate: String = "server",
      wantsClientCertificates: Bool = false, _ arguments: [String] = []
    ) async throws -> EtcdServer {
      let peer = try FreePort.next()
      let server = try EtcdServer(
        name: "one", peerPort: peer, cluster: "one=http://127.0.0.1:\(peer)",
        certificates: certificates, serverCertificate: serverCertificate,
        wantsClientCertificates: wantsClientCertificates, arguments)
      try server.launch()
      try await server.waitUntilHealthy()
      return server
    }

    /// Starts a cluster of several members, and waits until all answer.
    ///
    /// - Parameters:
    ///   - certificates: The certificates that identify members to each other and to their clients;
    ///     nil for a cluster without TLS.
    ///   - hosts: Where the members run; none for loopback.
    static func startCluster(
      _ count: Int, certificates: TestCertificates? = nil, on hosts: [TestNetwork.Host] = []
    ) async throws -> [EtcdServer] {
      let peers = try (0..<count).map { _ in try FreePort.next() }
      let addresses = peers.enumerated().map { number, port in
        "\(hosts.isEmpty ? "127.0.0.1" : hosts[number].address):\(port)"
      }
      let scheme = certificates == nil ? "http" : "https"
      let cluster = addresses.enumerated().map { "n\($0)=\(scheme)://\($1)" }
        .joined(separator: ",")
      let servers = try peers.enumerated().map { number, peer in
        try EtcdServer(
          name: "n\(number)", peerPort: peer, cluster: cluster, certificates: certificates,
          serverCertificate: "server", wantsClientCertificates: certificates != nil,
          host: hosts.isEmpty ? nil : hosts[number], [])
      }
      for server in servers { try server.launch() }
      for server in servers { try await server.waitUntilHealthy() }
      return servers
    }

    private init(
      name: String, peerPort: Int, cluster: String, certificates: TestCertificates?,
      serverCertificate: String, wantsClientCertificates: Bool, host: TestNetwork.Host? = nil,
      _ more: [String]
    ) throws {
      folder = try TemporaryFolder()
      clientPort = try FreePort.next()
      self.certificates = certificates
      self.host = host
      process = Lock(nil)
      let machine = host?.address ?? "127.0.0.1"
      let address = "\(certificates == nil ? "http" : "https")://\(machine):\(clientPort)"
      // A single member needs no addresses of others.
      let isAlone = !cluster.contains(",")
      let peer = "\(certificates == nil || isAlone ? "http" : "https")://\(machine):\(peerPort)"
      var arguments = [
        "--name", name, "--data-dir", folder.path("data"), "--listen-client-urls", address,
        "--advertise-client-urls", address,
        "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer, "--initial-cluster",
        cluster, "--logger", "zap", "--log-level", "error",
        "--heartbeat-interval", "100", "--election-timeout", "1000",
      ]
      if let certificates {
        arguments += [
          "--cert-file", certificates.path("\(serverCertificate).pem"),
          "--key-file", certificates.path("\(serverCertificate).key"),
        ]
        if wantsClientCertificates {
          arguments += ["--client-cert-auth", "--trusted-ca-file", certificates.path("ca.pem")]
        }
        if !isAlone {
          arguments += [
            "--peer-cert-file", certificates.path("\(serverCertificate).pem"),
            "--peer-key-file", certificates.path("\(serverCertificate).key"),
            "--peer-client-cert-auth", "--peer-trusted-ca-file", certificates.path("ca.pem"),
          ]
        }
      }
      self.arguments = arguments + more
    }

    deinit {
      kill()
    }

    var endpoint: String {
      let machine = host?.address ?? "127.0.0.1"
      return "\(certificates == nil ? "http" : "https")://\(machine):\(clientPort)"
    }

    // MARK: The process

    /// The path of a program of etcd, whose folder the environment may name.
    private static func program(_ name: String) -> String {
      (ProcessInfo.processInfo.environment["LARDER_ETCD"] ?? "/usr/bin") + "/" + name
    }

    /// Copies all data to a folder beside it, as a backup does. The member must not run.
    func backUp() throws {
      try FileManager.default.copyItem(atPath: folder.path("data"), toPath: folder.path("backup"))
    }

    /// Replaces all data by the backup, or by nothing. The member must not run.
    func restore(fromBackup isBackup: Bool) throws {
      try FileManager.default.removeItem(atPath: folder.path("data"))
      if isBackup {
        try FileManager.default.moveItem(
          atPath: folder.path("backup"), toPath: folder.path("data"))
      }
    }

    func launch() throws {
      let etcd = Self.program("etcd")
      let new = try ChildProcess(
        host == nil ? etcd : "/usr/bin/nsenter", host?.arguments(etcd, arguments) ?? arguments,
        in: folder, output: .file(folder.path("log")))
      process.withLock { $0 = new }
    }

    func kill() {
      let old = process.withLock { process in
        defer { process = nil }
        return process
      }
      old?.kill()
    }

    func signal(_ number: Int32) {
      process.withLock { $0 }?.signal(number)
    }

    /// Waits until the member answers.
    private func waitUntilHealthy() async throws {
      if host != nil { return try await repeated { _ = try await control("endpoint", "health") } }
      var options = EtcdStore.Options(endpoints: [endpoint])
      if let certificates {
        options.certificateAuthorityFile = certificates.path("ca.pem")
        options.clientCertificate = EtcdStore.ClientCertificate(
          file: certificates.path("client.pem"), privateKeyFile: certificates.path("client.key"))
      }
      let store = try EtcdStore(options)
      try await repeated { _ = try await store.entries() }
    }

    // MARK: etcdctl

    /// Runs etcdctl, and returns its output.
    @discardableResult
    func control(_ words: String...) async throws -> String { try await control(words) }

    /// Runs etcdctl, and returns its output.
    @discardableResult
    func control(_ words: [String]) async throws -> String {
      var options = ["--endpoints", endpoint, "--command-timeout", "10s"]
      if let certificates {
        options += [
          "--cacert", certificates.path("ca.pem"), "--cert", certificates.path("client.pem"),
          "--key", certificates.path("client.key"),
        ]
      }
      var program = BuiltProgram("etcdctl")
      program.environment = ["ETCDCTL_API": "3"]
      let run = try await blocking { [options, program, folder, host] in
        let arguments = options + words
        if let host {
          return try program.run(
            "/usr/bin/nsenter", host.arguments(Self.program("etcdctl"), arguments), in: folder)
        }
        return try program.run(Self.program("etcdctl"), arguments, in: folder)
      }
      guard run.status == 0 else { throw ControlError(words: words, error: run.error) }
      return run.text
    }

    /// A command of etcdctl that failed.
    struct ControlError: Error {
      var words: [String]
      var error: String
    }

    /// Whether the member leads the cluster.
    func isLeader() async throws -> Bool {
      let status = try await control("endpoint", "status", "-w", "json")
      let member = try #require(status.firstMatch(of: /"member_id":(\d+)/)).1
      let leader = try #require(status.firstMatch(of: /"leader":(\d+)/)).1
      return member == leader
    }

    /// Compacts the history up to now.
    func compact() async throws {
      let status = try await control("endpoint", "status", "-w", "json")
      let digits = try #require(status.firstMatch(of: /"revision":(\d+)/)).1
      try await control("compact", String(digits))
    }
  }

  /// Runs a closure again and again until it does not throw.
  @discardableResult
  func repeated<Result>(_ body: () async throws -> Result) async throws -> Result {
    let deadline = ContinuousClock.now + patience
    while true {
      do {
        return try await body()
      } catch {
        if ContinuousClock.now > deadline { throw error }
        try await Task.sleep(for: .milliseconds(20))
      }
    }
  }

  /// Ports that no process listens at.
  enum FreePort {
    private static let last = Lock(20_000 + Int(getpid()) % 9000)

    static func next() throws -> Int {
      for _ in 0..<2000 {
        let port = last.withLock { last in
          last = last < 32_000 ? last + 1 : 20_000
          return last
        }
        if let socket = try? TestSocket.listening(at: port) {
          close(socket)
          return port
        }
      }
      throw CocoaError(.featureUnsupported)
    }
  }
#endif
