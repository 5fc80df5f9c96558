#if Etcd
  import Foundation
  import TestSupport
  import Testing

  /// A TLS server with one of the certificates, which answers nothing.
  final class TLSServer {
    private let process = Process()
    let endpoint: String

    /// - Parameter wantsClientCertificate: Whether a client must have a certificate of `ca`.
    init(
      _ certificates: TestCertificates, _ name: String, wantsClientCertificate: Bool = false
    ) throws {
      let port = try FreePort.next()
      endpoint = "https://127.0.0.1:\(port)"
      process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
      process.arguments = [
        "s_server", "-accept", "127.0.0.1:\(port)", "-cert", certificates.path("\(name).pem"),
        "-key", certificates.path("\(name).key"), "-quiet",
      ]
      if wantsClientCertificate {
        process.arguments! += [
          "-Verify", "1", "-verify_return_error", "-CAfile", certificates.path("ca.pem"),
        ]
      }
      process.standardInput = Pipe()
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      #expect(
        eventually {
          guard let socket = TestSocket.connected(to: port) else { return false }
          close(socket)
          return true
        })
    }

    deinit {
      Foundation.kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
  }
#endif
