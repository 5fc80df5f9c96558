#if Etcd
  import Foundation
  import TestSupport
  import Testing

  @Suite("A name server that does not answer", .timeLimit(.minutes(10)), .serialized)
  struct SilentNameServerTests {
    @Test(
      "stops no other request and no program",
      .enabled(
        if: TestNetwork.obstacle == nil, "This needs network namespaces, which root may make."))
    func doctor() async throws {
      let network = try await blocking { try TestNetwork(hostCount: 2) }
      let (host, nameServer) = (network.hosts[0], network.hosts[1])
      try await blocking { try network.setLosing(true, from: host, to: nameServer) }
      let machine = try SyncMachine()
      try machine.configure(["http://one.example.org:2379", "http://two.example.org:2379"])
      // It takes 150 seconds until the system gives up.
      try machine.folder.write(
        "nameserver \(nameServer.address)\noptions timeout:30 attempts:5\n", to: "resolv.conf")
      let script = """
        mount --bind '\(machine.folder.path("resolv.conf"))' /etc/resolv.conf && \
        exec timeout -s KILL 100 '\(BuiltProgram("defaults-sync").path)' \
        doctor --config '\(machine.configuration)'
        """
      let run = try await machine.runProgram(
        at: "/usr/bin/nsenter",
        host.arguments("/usr/bin/unshare", ["--mount", "--", "/bin/sh", "-c", script]))
      #expect(run.error == "")
      // The time of the connection, not that of the name server.
      for endpoint in ["one", "two"] {
        #expect(
          run.text.contains(
            """
            endpoint: http://\(endpoint).example.org:2379: etcd cannot be reached: Resolving timed \
            out after 3
            """), "\(run.text)")
      }
      #expect(run.status == 1)
      withExtendedLifetime(network) {}
    }
  }
#endif
