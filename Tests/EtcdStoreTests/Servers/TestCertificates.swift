#if Etcd
  import Foundation
  import TestSupport
  import Testing

  /// Certificates that openssl has made, in a folder: `ca`, which signs all others, `server` for
  /// this machine, `other` for another host, `expired` for this machine until yesterday, and
  /// `client`, each with the key in a separate file; `nameless` is one without a common name.
  /// `stranger` is another authority.
  final class TestCertificates: Sendable {
    private let folder: TemporaryFolder

    /// - Parameter addresses: Addresses of servers besides this machine's.
    init(addresses: [String] = []) throws {
      folder = try TemporaryFolder()
      for authority in ["ca", "stranger"] {
        try openssl([
          "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
          "-keyout", "\(authority).key", "-out", "\(authority).pem", "-days", "2", "-subj",
          "/CN=\(authority)",
        ])
      }
      let names = ["IP:127.0.0.1", "DNS:localhost"] + addresses.map { "IP:\($0)" }
      try make("server", names: names.joined(separator: ","))
      try make("other", names: "DNS:other.example.org")
      try make("expired", names: "IP:127.0.0.1,DNS:localhost", days: "-1")
      try make("client", names: "DNS:client")
      try make("nameless", names: "DNS:nameless", subject: "/O=fleet")
    }

    /// The path of a file.
    func path(_ name: String) -> String { folder.path(name) }

    private func make(_ name: String, names: String, days: String = "2", subject: String? = nil)
      throws
    {
      try folder.write("subjectAltName=\(names)\n", to: "\(name).names")
      try openssl([
        "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout",
        "\(name).key", "-out", "\(name).request", "-subj", subject ?? "/CN=\(name)",
      ])
      try openssl([
        "x509", "-req", "-in", "\(name).request", "-CA", "ca.pem", "-CAkey", "ca.key",
        "-CAcreateserial", "-out", "\(name).pem", "-days", days, "-extfile", "\(name).names",
      ])
    }

    private func openssl(_ arguments: [String]) throws {
      let run = try BuiltProgram("").run("/usr/bin/openssl", arguments, in: folder)
      try #require(run.status == 0, "openssl \(arguments): \(run.error)")
    }
  }
#endif
