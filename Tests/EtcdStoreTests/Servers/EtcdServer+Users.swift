#if Etcd
  extension EtcdServer {
    /// A server with a user who may use the keys of the default prefix only.
    static func startWithUsers(
      _ certificates: TestCertificates, wantsClientCertificates: Bool = false,
      _ arguments: [String] = []
    ) async throws -> EtcdServer {
      let server = try await EtcdServer.start(
        certificates: certificates, wantsClientCertificates: wantsClientCertificates, arguments)
      try await server.control("user", "add", "root:root-secret")
      try await server.control("role", "add", "root")
      try await server.control("user", "grant-role", "root", "root")
      try await server.control("user", "add", "fleet:fleet-secret")
      try await server.control("role", "add", "fleet")
      try await server.control(
        "role", "grant-permission", "fleet", "readwrite", "larder/", "larder0")
      try await server.control("user", "grant-role", "fleet", "fleet")
      try await server.control("auth", "enable")
      return server
    }
  }
#endif
