#if Etcd
  import Foundation
  import TestSupport
  import Testing

  @Suite("Name servers", .timeLimit(.minutes(10)))
  struct NameServerTests {
    /// A socket of a name server that does not answer.
    private func silentServer(_ address: String) throws -> Int32 {
      let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      var place = sockaddr_in()
      place.sin_family = sa_family_t(AF_INET)
      place.sin_port = UInt16(53).bigEndian
      inet_pton(AF_INET, address, &place.sin_addr)
      let result = withUnsafePointer(to: &place) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      try #require(descriptor >= 0 && result == 0)
      return descriptor
    }

    @Test(
      "One that does not answer delays neither the answer of another member nor the end",
      .enabled(
        if: TestNetwork.obstacle == nil, "This needs a mount namespace, which root may make."))
    func silence() async throws {
      let server = try await EtcdServer.start()
      let socket = try silentServer("127.7.7.7")
      defer { close(socket) }
      let machine = try SyncMachine()
      try machine.folder.write(
        "nameserver 127.7.7.7\noptions timeout:30 attempts:1\n", to: "resolv.conf")
      try machine.configure(["http://etcd.example.org:2379", server.endpoint], ["d": ["k"]])
      let start = ContinuousClock.now
      let run = try await machine.runProgram(
        at: "/usr/bin/unshare",
        [
          "--mount", "--", "/bin/sh", "-c",
          "mount --bind '\(machine.folder.path("resolv.conf"))' /etc/resolv.conf && exec \"$@\"",
          "sh", BuiltProgram("defaults-sync").path, "status", "--config", machine.configuration,
        ])
      let time = ContinuousClock.now - start
      #expect(run.text.contains("endpoint: \(server.endpoint)"), "\(run)")
      // Three seconds for the connection; on a busy machine more. The resolver waits for thirty.
      #expect(time < .seconds(20), "\(time)")
    }
  }
#endif
