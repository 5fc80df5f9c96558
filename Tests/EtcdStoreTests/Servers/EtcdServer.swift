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
    private let arguments: [String]
    private let process: Lock<Process?>

    /// Starts a cluster of one member, and waits until it answers.
    ///
    /// - Parameters:
    ///   - certificates: The certificates of a server with TLS; nil for one without.
    ///   - wantsClientCertificates: Whether a client has to have a certificate, too.
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
    static func startCluster(_ count: Int) async throws -> [EtcdServer] {
      let peers = try (0..<count).map { _ in try FreePort.next() }
      let cluster = peers.enumerated().map { "n\($0)=http://127.0.0.1:\($1)" }
        .joined(separator: ",")
      let servers = try peers.enumerated().map { number, peer in
        try EtcdServer(
          name: "n\(number)", peerPort: peer, cluster: cluster, certificates: nil,
          serverCertificate: "", wantsClientCertificates: false, [])
      }
      for server in servers { try server.launch() }
      for server in servers { try await server.waitUntilHealthy() }
      return servers
    }

    private init(
      name: String, peerPort: Int, cluster: String, certificates: TestCertificates?,
      serverCertificate: String, wantsClientCertificates: Bool, _ more: [String]
    ) throws {
      folder = try TemporaryFolder()
      clientPort = try FreePort.next()
      self.certificates = certificates
      process = Lock(nil)
      let address = "\(certificates == nil ? "http" : "https")://127.0.0.1:\(clientPort)"
      var arguments = [
        "--name", name, "--data-dir", folder.path("data"), "--listen-client-urls", address,
        "--advertise-client-urls", address,
        "--listen-peer-urls", "http://127.0.0.1:\(peerPort)",
        "--initial-advertise-peer-urls", "http://127.0.0.1:\(peerPort)",
        "--initial-cluster", cluster, "--logger", "zap", "--log-level", "error",
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
      }
      self.arguments = arguments + more
    }

    deinit {
      kill()
    }

    var endpoint: String {
      "\(certificates == nil ? "http" : "https")://127.0.0.1:\(clientPort)"
    }

    // MARK: The process

    func launch() throws {
      let new = Process()
      new.executableURL = URL(fileURLWithPath: "/usr/bin/etcd")
      new.arguments = arguments
      let log = folder.path("log")
      if !FileManager.default.fileExists(atPath: log) {
        _ = FileManager.default.createFile(atPath: log, contents: nil)
      }
      let output = try #require(FileHandle(forWritingAtPath: log))
      try output.seekToEnd()
      new.standardOutput = output
      new.standardError = output
      try new.run()
      process.withLock { $0 = new }
    }

    func kill() {
      guard let old = process.withLock({ $0 }) else { return }
      process.withLock { $0 = nil }
      Foundation.kill(old.processIdentifier, SIGKILL)
      old.waitUntilExit()
    }

    func signal(_ number: Int32) {
      process.withLock { process in
        if let process { _ = Foundation.kill(process.processIdentifier, number) }
      }
    }

    /// Waits until the member answers.
    private func waitUntilHealthy() async throws {
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
      // Not on a thread of tasks.
      let result = await withCheckedContinuation { continuation in
        Thread.detachNewThread { [options, program, folder] in
          continuation.resume(
            returning: Result {
              try program.run("/usr/bin/etcdctl", options + words, in: folder)
            })
        }
      }
      let run = try result.get()
      try #require(run.status == 0, "etcdctl \(words): \(run.error)")
      return run.text
    }

    /// Compacts the history up to now.
    func compact() async throws {
      let status = try await control("endpoint", "status", "-w", "json")
      let digits = try #require(status.firstMatch(of: /"revision":(\d+)/)).1
      try await control("compact", String(digits))
    }
  }

  /// Runs a closure again and again until it does not throw.
  func repeated(_ body: () async throws -> Void) async throws {
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
