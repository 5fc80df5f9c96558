#if Etcd
  import EtcdStore
  import Foundation
  import PreferencesSync
  import PropertyList
  import TestSupport
  import Testing

  @Suite("defaults sync push, pull, watch and status", .timeLimit(.minutes(10)), .serialized)
  struct TransferCommandTests {
    @Test("Values go from one machine to another")
    func pushAndPull() async throws {
      let server = try await EtcdServer.start()
      let (one, two) = (try SyncMachine(), try SyncMachine())
      for machine in [one, two] {
        try machine.configure(
          [server.endpoint],
          ["org.example.editor": ["theme", "size"], "org.example.player": ["volume"]])
      }
      try await one.defaults("write", "org.example.editor", "theme", "dark")
      try await one.defaults("write", "org.example.editor", "private", "stays")
      try await one.defaults("write", "org.example.player", "volume", "-int", "7")
      // `pull` uploads nothing and notes nothing.
      let cluster = try EtcdStore(EtcdStore.Options(endpoints: [server.endpoint]))
      try await one.sync("pull").expect(
        output: """
          org.example.editor: 0 received, 1 waiting to be uploaded
          org.example.player: 0 received, 1 waiting to be uploaded

          """)
      try await two.sync("pull").expect(
        output: """
          org.example.editor: 0 received, 0 waiting to be uploaded
          org.example.player: 0 received, 0 waiting to be uploaded

          """)
      #expect(try await cluster.entries().revision == 1)
      let status = try await one.status()
      #expect(status[PlistKeyPath("domains.org\\.example\\.editor.pendingKeys")] == 1)
      try await one.sync("push").expect(
        output: """
          org.example.editor: 1 uploaded, 0 received
          org.example.player: 1 uploaded, 0 received

          """)
      try await one.sync("push").expect(
        output: """
          org.example.editor: 0 uploaded, 0 received
          org.example.player: 0 uploaded, 0 received

          """)
      try await two.sync("pull").expect(
        output: """
          org.example.editor: 1 received, 0 waiting to be uploaded
          org.example.player: 1 received, 0 waiting to be uploaded

          """)
      #expect(try await two.defaults("read", "org.example.editor") == "{\n    theme = dark;\n}")
      #expect(try await two.defaults("read", "org.example.player", "volume") == "7")
      // A removal is also a change.
      try await two.defaults("delete", "org.example.editor", "theme")
      #expect(try await two.sync("push").text.hasPrefix("org.example.editor: 1 uploaded, 0 rec"))
      #expect(try await one.sync("pull").text.hasPrefix("org.example.editor: 1 received, 0 wai"))
      #expect(try await one.defaults("read", "org.example.editor") == "{\n    private = stays;\n}")
    }

    @Test("A cluster that cannot be reached is an error, and nothing is lost")
    func unreachable() async throws {
      let machine = try SyncMachine()
      let port = try FreePort.next()
      try machine.configure(["http://127.0.0.1:\(port)"])
      try await machine.defaults("write", "org.example.editor", "theme", "dark")
      for words in ["push", "pull"] {
        let run = try await machine.sync(words)
        #expect(run.status == 1)
        #expect(run.text == "")
        #expect(
          run.error.hasPrefix(
            "org.example.editor: http://127.0.0.1:\(port): etcd cannot be reached: "))
        #expect(run.error.split(separator: "\n").count == 1)
      }
      let status = try await machine.sync("status")
      #expect(status.status == 1)
      #expect(status.text.contains("\norg.example.editor: not connected\n"))
      #expect(
        status.text.contains("  last error: http://127.0.0.1:\(port): etcd cannot be reached"))
      #expect(try await machine.defaults("read", "org.example.editor", "theme") == "dark")
    }

    @Test("The password is wrong, or its file is open to others")
    func password() async throws {
      let certificates = try TestCertificates()
      let server = try await EtcdServer.startWithUsers(certificates)
      let machine = try SyncMachine()
      try machine.configure(
        [server.endpoint], ["d": ["k"]],
        """
        certificateAuthorityFile = "\(certificates.path("ca.pem"))"; user = fleet;
        passwordFile = password;
        """)
      try await machine.defaults("write", "d", "k", "hidden-value")
      try machine.writePassword("hidden-word")
      try await machine.sync("push").expect(
        error: "d: \(server.endpoint): the name or the password of the user fleet is wrong\n",
        status: 1)
      chmod(machine.folder.path("password"), 0o644)
      try await machine.sync("push").expect(
        error:
          "d: \(machine.folder.path("password")) is open to other users, with permissions 0644; "
          + "expected those of chmod 600\n", status: 1)
      try machine.writePassword("fleet-secret\n")
      try await machine.sync("push").expect(output: "d: 1 uploaded, 0 received\n")
    }

    @Test("The database is full")
    func full() async throws {
      let server = try await EtcdServer.start(["--quota-backend-bytes", "1000000"])
      let machine = try SyncMachine()
      try machine.configure([server.endpoint], ["d": ["k"]])
      try await machine.defaults("write", "d", "k", "v")
      try await machine.sync("push").expect(output: "d: 1 uploaded, 0 received\n")
      try await server.fill()
      try await machine.defaults("write", "d", "k", "w")
      let run = try await machine.sync("push")
      #expect(run.status == 1)
      #expect(
        run.error
          == "d: \(server.endpoint): the database of etcd is full; compact and defragment it, "
          + "then disarm the alarm NOSPACE\n")
      #expect(try await machine.defaults("read", "d", "k") == "w")
      let doctor = try await machine.sync("doctor")
      #expect(doctor.status == 1)
      #expect(doctor.text.contains("problem  endpoint: \(server.endpoint): the database is full"))
      #expect(doctor.text.contains("etcdctl alarm disarm"))
    }

    @Test("Changes in the cluster are printed as they arrive, until the output is closed")
    func watch() async throws {
      let server = try await EtcdServer.start()
      let (one, two) = (try SyncMachine(), try SyncMachine())
      for machine in [one, two] { try machine.configure([server.endpoint]) }
      try await one.defaults("write", "org.example.editor", "theme", "dark")
      _ = try await one.sync("push")
      let watcher = try two.start("watch")
      try await watcher.waitForLog("watching org.example.editor\n")
      try await one.defaults("write", "org.example.editor", "theme", "light blue")
      _ = try await one.sync("push")
      try await one.defaults("write", "org.example.editor", "size", "{ a = (1, 2); }")
      _ = try await one.sync("push")
      try await server.control("put", "larder/domains/org.example.editor/size", "no record")
      try await one.defaults("delete", "org.example.editor", "theme")
      _ = try await one.sync("push")
      let lines = """
        org.example.editor theme: dark -> "light blue"
        org.example.editor size: - -> { a = ( 1, 2 ); }
        org.example.editor theme: "light blue" -> -

        """
      #expect(await eventually { watcher.output == lines }, "\(watcher.output)")
      try await watcher.waitForLog("org.example.editor size: ")
      #expect(try await watcher.end(SIGINT) == 128 + SIGINT)
      // Nothing is stored.
      #expect(try await two.defaults("domains") == "")
    }

    @Test("A domain that cannot be watched ends the watch of all")
    func failingWatch() async throws {
      let certificates = try TestCertificates()
      let server = try await EtcdServer.startWithUsers(certificates)
      func role(_ words: String...) async throws {
        try await server.control(["--user", "root:root-secret", "role"] + words)
      }
      try await role("revoke-permission", "fleet", "larder/", "larder0")
      try await role("grant-permission", "fleet", "read", "--prefix=true", "larder/domains/open/")
      let machine = try SyncMachine()
      try machine.configure(
        [server.endpoint], ["closed": ["k"], "open": ["k"]],
        """
        certificateAuthorityFile = "\(certificates.path("ca.pem"))"; user = fleet;
        passwordFile = password;
        """)
      try machine.writePassword("fleet-secret")
      let run = try await machine.sync("watch")
      #expect(run.status == 1)
      #expect(
        run.error.replacing("watching open\n", with: "")
          == "closed: \(server.endpoint): the user may not do this to the entries with the store's "
          + "prefix\n")
    }

    @Test("An administrator publishes managed preferences")
    func managed() async throws {
      let server = try await EtcdServer.start()
      let machine = try SyncMachine()
      try machine.configure([server.endpoint])
      try machine.folder.write("{ locked = YES; proxy = \"a b\"; }", to: "policy.plist")
      let push = {
        try await machine.sync("push", "--managed", "org.example.editor", "policy.plist")
      }
      try await push().expect(
        output: "org.example.editor: 2 added, 0 changed, 0 removed, 0 unchanged\n")
      #expect(
        try await server.control("get", "--prefix", "larder/", "--keys-only").split(separator: "\n")
          == [
            "larder/managed/org.example.editor/locked", "larder/managed/org.example.editor/proxy",
          ])
      try machine.folder.write("{ locked = NO; }", to: "policy.plist")
      try await push().expect(
        output: "org.example.editor: 0 added, 1 changed, 1 removed, 0 unchanged\n")
      try await push().expect(
        output: "org.example.editor: 0 added, 0 changed, 0 removed, 1 unchanged\n")
      // An empty dictionary is a policy; white space is not.
      try machine.folder.write("\n", to: "policy.plist")
      #expect(try await push().status == 1)
      try machine.folder.write("{}\n", to: "policy.plist")
      try await push().expect(
        output: "org.example.editor: 0 added, 0 changed, 1 removed, 0 unchanged\n")
      try machine.folder.write("(1)", to: "policy.plist")
      try await push().expect(
        error: "policy.plist: the property list is not a dictionary; nothing was published\n",
        status: 1)
      let outside = try await machine.sync("push", "--managed", "../x", "policy.plist")
      #expect(outside.status == 1)
    }
  }
#endif
