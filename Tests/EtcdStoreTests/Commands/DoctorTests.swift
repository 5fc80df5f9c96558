#if Etcd
  import EtcdStore
  import Foundation
  import Preferences
  import PreferencesSync
  import PropertyList
  import TestSupport
  import Testing

  @Suite("defaults sync doctor", .timeLimit(.minutes(10)), .serialized)
  struct DoctorTests {
    /// Runs doctor on a machine, and expects that it finds problems.
    private func problems(_ machine: SyncMachine) async throws -> String {
      let run = try await machine.sync("doctor")
      #expect(run.status == 1, "\(run.text)")
      #expect(run.error == "")
      #expect(!run.text.contains("hidden"))
      return run.text
    }

    @Test("finds that all is well")
    func fine() async throws {
      let certificates = try TestCertificates()
      let server = try await EtcdServer.startWithUsers(certificates)
      let machine = try SyncMachine()
      try machine.configure(
        [server.endpoint], ["d": ["k"]],
        """
        certificateAuthorityFile = "\(certificates.path("ca.pem"))"; user = fleet;
        passwordFile = password;
        """)
      try machine.writePassword("fleet-secret")
      try await machine.defaults("write", "d", "k", "v")
      _ = try await machine.sync("push")
      let agent = try machine.start("run")
      try await agent.waitForLog("event=connected")
      try await machine.waitForStatus(PlistKeyPath("domains.d.isConnected"), true)
      let run = try await machine.sync("doctor")
      #expect(
        run.text.replacing(/etcd (3.*database|answers.*)/, with: "VERSION") == """
          ok       configuration: \(machine.configuration): 1 endpoint, 1 domain
          ok       credentials: all files can be read, and their permissions are safe
          ok       endpoint: \(server.endpoint): VERSION
          ok       clock: the clock of this machine is as that of the cluster
          ok       cluster: d: may be read and changed; 1 record
          ok       agent: process \(agent.identifier) runs with this state folder
          ok       state: \(machine.folder.path("state")) can be written
          ok       domain: d: 0 changes waiting

          """)
      #expect(run.status == 0)
      let json = try Plist.read(try await machine.sync("doctor", "--json").output).value
      guard case .array(let findings) = json else {
        Issue.record("\(json)")
        return
      }
      #expect(findings.count == 8)
      #expect(findings.allSatisfy { $0[PlistKeyPath("outcome")] == "ok" })
      #expect(try await agent.end() == 0)
    }

    @Test("names mistakes in the configuration")
    func configuration() async throws {
      let machine = try SyncMachine()
      try machine.configure("{ endpoints = (\"\"); domains = { d = (); }; }")
      let path = machine.configuration
      try await machine.sync("doctor").expect(
        output: """
          problem  configuration: \(path): endpoints.0: expected a text, found an empty string
                   -> correct the file; "defaults-sync help" lists its keys
          problem  configuration: \(path): domains.d: expected at least one of the keys, found none
                   -> correct the file; "defaults-sync help" lists its keys

          """, status: 1)
    }

    static let answers: [(String, String)] = [
      (
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 22\r\n\r\n<html>Log in!</html>\r\n",
        "what answers is not etcd"
      ),
      (
        "HTTP/1.1 302 Found\r\nLocation: http://portal.example.org/\r\nContent-Length: 0\r\n\r\n",
        "what answers is not etcd; it answered with status 302"
      ),
      ("SSH-2.0-OpenSSH_9.2\r\n", "what answers is not etcd"),
      (
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{\"header\":",
        "the answer of etcd is incomplete"
      ),
      (
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", "what answers is not etcd"
      ),
    ]

    @Test("recognizes what is no etcd, and truncated answers", arguments: answers)
    func foreignServer(answer: String, error: String) async throws {
      let server = try ScriptedServer(answer)
      let machine = try SyncMachine()
      try machine.configure([server.endpoint])
      let text = try await problems(machine)
      #expect(text.contains("problem  endpoint: \(server.endpoint): \(error)"), "\(text)")
    }

    @Test("tells the endpoint that cannot be reached from the others")
    func unreachable() async throws {
      let server = try await EtcdServer.start()
      let machine = try SyncMachine()
      let port = try FreePort.next()
      try machine.configure(["http://127.0.0.1:\(port)", server.endpoint])
      let text = try await problems(machine)
      #expect(
        text.contains("problem  endpoint: http://127.0.0.1:\(port): etcd cannot be reached: "))
      #expect(text.contains("-> check the host and port, that etcd runs there"))
      #expect(text.contains("ok       endpoint: \(server.endpoint): etcd 3."))
      #expect(text.contains("ok       cluster: org.example.editor: may be read and changed"))
    }

    static let certificateProblems: [(String, String, String)] = [
      ("server", "stranger.pem", "-> set certificateAuthorityFile to the certificates of the"),
      ("other", "ca.pem", "-> use a host of the certificate in the endpoint"),
      ("expired", "ca.pem", "-> renew the member's certificate, and restart it"),
    ]

    @Test("says what is wrong with a certificate", arguments: certificateProblems)
    func certificate(server name: String, authority: String, advice: String) async throws {
      let certificates = try TestCertificates()
      let server = try TLSServer(certificates, name)
      let machine = try SyncMachine()
      try machine.configure(
        [server.endpoint], ["d": ["k"]],
        "certificateAuthorityFile = \"\(certificates.path(authority))\";")
      let text = try await problems(machine)
      #expect(
        text.contains("problem  endpoint: \(server.endpoint): the certificate was refused: "),
        "\(text)")
      #expect(text.contains(advice), "\(text)")
    }

    @Test("tells the certificate of this machine from that of the member")
    func ownCertificate() async throws {
      let certificates = try TestCertificates()
      let server = try TLSServer(certificates, "server", wantsClientCertificate: true)
      let machine = try SyncMachine()
      let cases = [
        ("expired.pem", "expired.key", "-> renew the certificate of this machine, certificateFile"),
        ("stranger.pem", "stranger.key", "-> the member refused the certificate of this machine"),
        ("client.pem", "expired.key", "-> set certificateFile and privateKeyFile to a certificate"),
        ("ca.key", "client.key", "-> set certificateFile and privateKeyFile to a certificate"),
        (
          "client.pem", "server.names", "-> set certificateFile and privateKeyFile to a certificate"
        ),
      ]
      for name in try FileManager.default.contentsOfDirectory(atPath: certificates.path("")) {
        chmod(certificates.path(name), 0o600)
      }
      for (certificate, key, advice) in cases {
        try machine.configure(
          [server.endpoint], ["d": ["k"]],
          """
          certificateAuthorityFile = "\(certificates.path("ca.pem"))";
          certificateFile = "\(certificates.path(certificate))";
          privateKeyFile = "\(certificates.path(key))";
          """)
        let text = try await problems(machine)
        #expect(text.contains(advice), "\(certificate) \(key): \(text)")
      }
    }

    @Test("recognizes http in place of https, and the other way round")
    func scheme() async throws {
      let certificates = try TestCertificates()
      let plain = try await EtcdServer.start()
      let encrypted = try await EtcdServer.start(certificates: certificates)
      // Other versions of etcd answer.
      let text = try ScriptedServer("HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request")
      let foreign = try ScriptedServer("no TLS", readsRequest: false)
      let machine = try SyncMachine()
      for endpoint in [plain.endpoint, foreign.endpoint] {
        try machine.configure([endpoint.replacing("http:", with: "https:")], ["d": ["k"]])
        let found = try await problems(machine)
        #expect(found.contains("-> the member may speak http, not https"), "\(found)")
        #expect(!found.contains("the certificate was refused"))
      }
      for endpoint in [encrypted.endpoint, text.endpoint] {
        try machine.configure([endpoint.replacing("https:", with: "http:")], ["d": ["k"]])
        let found = try await problems(machine)
        #expect(found.contains("-> the member may speak https, not http"), "\(found)")
      }
    }

    @Test(
      "reports that the agent has lost the cluster, and a broken state file of managed preferences")
    func agent() async throws {
      let server = try await EtcdServer.start()
      let machine = try SyncMachine()
      try machine.configure([server.endpoint], ["d": ["k"]])
      let agent = try machine.start("run")
      try await agent.waitForLog("event=connected")
      server.kill()
      try await machine.waitForStatus {
        $0[PlistKeyPath("domains.d.isConnected")] == false
          && $0[PlistKeyPath("domains.d.lastError")] != nil
      }
      let text = try await problems(machine)
      #expect(text.contains("problem  agent: d: not connected: \(server.endpoint): "), "\(text)")
      #expect(try await agent.end() == 0)
      try machine.configure(
        "{ endpoints = (\"\(server.endpoint)\"); managed = (d); }")
      let state = "state/larder%2Fmanaged%2F.plist"
      try machine.folder.write("no property list", to: state)
      let broken = try await problems(machine)
      #expect(broken.contains("problem  state: \(machine.folder.path(state)): "), "\(broken)")
    }

    @Test("takes a member that shows its state to root alone, as some versions do")
    func hiddenState() async throws {
      let server = try ScriptedServer { request in
        switch request.path {
        case "maintenance/status":
          ScriptedServer.answer(
            #"{"code":7,"message":"etcdserver: permission denied"}"#, status: "403 Forbidden")
        case "kv/txn":
          ScriptedServer.answer(
            #"{"header":{"revision":"1"},"responses":[{"response_range":{}}]}"#)
        default: ScriptedServer.answer(#"{"header":{"revision":"1"}}"#)
        }
      }
      let machine = try SyncMachine()
      try machine.configure([server.endpoint], ["d": ["k"]])
      let run = try await machine.sync("doctor")
      #expect(
        run.text.contains(
          """
          ok       endpoint: \(server.endpoint): etcd answers, and shows its state to the role root \
          alone
          """), "\(run.text)")
      #expect(
        run.text.contains("ok       cluster: d: may be read and changed; 0 records"), "\(run.text)")
    }

    @Test("says what is wrong with the user")
    func user() async throws {
      let certificates = try TestCertificates()
      let server = try await EtcdServer.startWithUsers(certificates)
      let machine = try SyncMachine()
      let authority = "certificateAuthorityFile = \"\(certificates.path("ca.pem"))\";"
      let user = "\(authority) user = fleet; passwordFile = password;"
      // No user.
      try machine.configure([server.endpoint], ["d": ["k"]], authority)
      #expect(try await problems(machine).contains(": \(server.endpoint): etcd wants a user"))
      // A missing file, a file that other users may read, and a wrong password.
      try machine.configure([server.endpoint], ["d": ["k"]], user)
      let path = machine.folder.path("password")
      #expect(
        try await problems(machine)
          .contains("problem  credentials: \(path) cannot be opened: No such file or directory"))
      try machine.writePassword("hidden-word")
      chmod(path, 0o640)
      let text = try await problems(machine)
      #expect(
        text.contains("problem  credentials: \(path) is open to other users") == (getuid() != 0))
      chmod(path, 0o604)
      #expect(
        try await problems(machine).contains("problem  credentials: \(path) is open to other users")
      )
      chmod(path, 0o600)
      let wrong = try await problems(machine)
      #expect(
        wrong.contains(
          "endpoint: \(server.endpoint): the name or the password of the user fleet is"))
      #expect(wrong.contains("-> correct user or passwordFile"))
      // A prefix that belongs to others.
      try machine.writePassword("fleet-secret")
      try machine.configure([server.endpoint], ["d": ["k"]], user + "prefix = \"other/\";")
      let denied = try await problems(machine)
      #expect(denied.contains("problem  cluster: d: \(server.endpoint): the user may not do this"))
      #expect(
        denied.contains(
          "-> etcdctl role grant-permission ROLE readwrite --prefix=true other/domains/\n"))
      // Permission to read is not enough.
      func control(_ words: String...) async throws {
        try await server.control(["--user", "root:root-secret", "role"] + words)
      }
      try machine.configure([server.endpoint], ["d": ["k"]], user)
      try await control("revoke-permission", "fleet", "larder/", "larder0")
      try await control("grant-permission", "fleet", "read", "larder/", "larder0")
      #expect(
        try await problems(machine)
          .contains("problem  cluster: d: \(server.endpoint): the user may not do this"))
      try await control(
        "grant-permission", "fleet", "readwrite", "--prefix=true", "larder/domains/")
      let registry = try await problems(machine)
      #expect(registry.contains("problem  cluster: d, registry of machines: "))
      #expect(registry.contains("readwrite --prefix=true larder/registry/\n"))
    }

    @Test("names records that no change could replace, after whose removal the key goes on")
    func lastTime() async throws {
      let server = try await EtcdServer.start()
      let machine = try SyncMachine()
      try machine.configure([server.endpoint], ["d": ["k"]])
      let cluster = try EtcdStore(EtcdStore.Options(endpoints: [server.endpoint]))
      let end = Date(timeIntervalSinceReferenceDate: 252_423_993_599)
      let last = try Plist.write([.date(end), 0xFFFF_FFFF, "other", "last"], as: .binary)
      _ = try await cluster.values(ofDomain: "d").put(last, forKey: "k", replacing: 0)
      try await machine.defaults("write", "d", "k", "mine")
      let push = try await machine.sync("push")
      #expect(push.status != 0 && push.error.contains("date of the record is out of range"))
      let text = try await problems(machine)
      #expect(text.contains("problem  records: d: 1 written by something else: k\n"), "\(text)")
      #expect(text.contains("-> delete them with etcdctl, below larder/domains/d/\n"))
      try await server.control("del", "larder/domains/d/k")
      _ = try await machine.sync("push")
      #expect(try await machine.sync("doctor").status == 0)
      try await machine.defaults("write", "d", "k", "new")
      _ = try await machine.sync("push")
      let entry = try await cluster.values(ofDomain: "d").entry(forKey: "k", at: nil)
      #expect(try entry.flatMap { try SyncRecord($0.data).value } == "new")
    }

    @Test("names records that were written by something else, and broken state files")
    func records() async throws {
      let server = try await EtcdServer.start()
      let machine = try SyncMachine()
      try machine.configure([server.endpoint], ["d": ["k", "theme"]])
      try await machine.defaults("write", "d", "k", "v")
      _ = try await machine.sync("push")
      try await server.control("put", "larder/domains/d/theme", "{\"not\": \"a record\"}")
      let text = try await problems(machine)
      #expect(text.contains("problem  records: d: 1 written by something else: theme\n"), "\(text)")
      #expect(text.contains("-> delete them with etcdctl, below larder/domains/d/\n"))
      try await server.control("del", "larder/domains/d/theme")
      #expect(try await machine.sync("doctor").status == 0)
      let state = "state/larder%2Fdomains%2Fd%2F.plist"
      try machine.folder.write("no property list", to: state)
      let broken = try await problems(machine)
      #expect(broken.contains("problem  state: \(machine.folder.path(state)): "), "\(broken)")
      // The store of the machine has a file that cannot be read.
      try FileManager.default.removeItem(atPath: machine.folder.path(state))
      try machine.folder.write("no property list", to: "config/d.plist")
      #expect(try await problems(machine).contains("problem  domain: d: "))
    }
  }
#endif
