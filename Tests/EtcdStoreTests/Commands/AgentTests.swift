#if Etcd
  import Foundation
  import PropertyList
  import TestSupport
  import Testing

  @Suite("defaults sync run", .timeLimit(.minutes(10)), .serialized)
  struct AgentTests {
    /// The path of the state of a domain in a status.
    private static func place(_ name: String, _ domain: String = "org.example.editor")
      -> PlistKeyPath
    {
      PlistKeyPath(components: ["domains", domain, name])
    }

    @Test("keeps machines in sync, publishes its status, and ends cleanly")
    func synchronization() async throws {
      let server = try await EtcdServer.start()
      let (one, two) = (try SyncMachine(), try SyncMachine())
      for machine in [one, two] { try machine.configure([server.endpoint]) }
      let agents = try [one, two].map { try $0.start("run") }
      for agent in agents { try await agent.waitForLog("event=connected") }
      try await one.defaults("write", "org.example.editor", "theme", "hidden-dark")
      try await agents[1].waitForLog("event=received domain=org.example.editor keys=1")
      #expect(try await two.defaults("read", "org.example.editor", "theme") == "hidden-dark")
      try await two.defaults("write", "org.example.editor", "size", "12")
      try await agents[0].waitForLog("event=received domain=org.example.editor keys=1")
      #expect(try await one.defaults("read", "org.example.editor", "size") == "12")

      let status = try await one.status()
      #expect(status[PlistKeyPath("process")] == .integer(Int64(agents[0].identifier)))
      #expect(status[Self.place("isConnected")] == true)
      #expect(status[Self.place("endpoint")] == .string(server.endpoint))
      #expect(status[Self.place("pendingKeys")] == 0)
      #expect(status[Self.place("keys")] == 2)
      let text = try await one.sync("status")
      #expect(text.status == 0)
      #expect(text.text.hasPrefix("agent: process \(agents[0].identifier), since "))

      // No other process may use the agent's state.
      try await one.defaults("write", "org.example.editor", "theme", "hidden-light")
      for words in ["push", "pull"] {
        try await one.sync(words).expect(
          output: """
            org.example.editor: synchronized by the agent, process \(agents[0].identifier)

            """)
        #expect(
          try await server.control("get", "larder/domains/org.example.editor/theme")
            .contains("hidden-light"))
      }
      try await one.sync("run").expect(
        error:
          "\(one.folder.path("state")): another agent, process \(agents[0].identifier), uses this "
          + "state folder\n", status: 1)

      #expect(try await agents[0].end(SIGTERM) == 0)
      #expect(try await agents[1].end(SIGINT) == 0)
      for agent in agents {
        let lines = agent.log.split(separator: "\n")
        for line in lines {
          let form =
            /time=\d{4}-\d\d-\d\dT[\d:.]+Z level=(info|warning|error) event=[-a-zA-Z]+( .*)?/
          #expect(line.wholeMatch(of: form) != nil, "\(line)")
        }
        #expect(lines.last?.hasSuffix("event=stopped waiting=0") == true)
        #expect(!agent.log.contains("hidden"))
      }
      #expect(try await one.sync("status").text.hasPrefix("agent: none runs\n"))
      try await one.sync("push").expect(output: "org.example.editor: 0 uploaded, 0 received\n")
    }

    @Test("reads the configuration again, and restarts only what has changed")
    func reload() async throws {
      let server = try await EtcdServer.start()
      let machine = try SyncMachine()
      try machine.configure([server.endpoint], ["first": ["a"], "second": ["b"]])
      let agent = try machine.start("run")
      try await agent.waitForLog("event=connected", count: 2)
      try machine.configure([server.endpoint], ["first": ["a", "c"], "third": ["d"]])
      agent.send(SIGHUP)
      try await agent.waitForLog("event=reloaded domains=2")
      #expect(agent.log.contains("event=changed domain=first keys=2\n"))
      #expect(agent.log.contains("event=removed domain=second\n"))
      #expect(agent.log.contains("event=synchronizing domain=third keys=1\n"))
      try await agent.waitForLog("event=connected", count: 3)
      try await machine.defaults("write", "first", "c", "1")
      try await agent.waitForLog("event=uploaded domain=first keys=1")
      #expect(
        try await server.control("get", "--prefix", "larder/domains/", "--keys-only")
          == "larder/domains/first/c\n\n")

      // A configuration with errors changes nothing.
      try machine.configure("{ endpoints = (); domain = x; }")
      agent.send(SIGHUP)
      try await agent.waitForLog("event=reload-refused", count: 2)
      #expect(agent.log.contains("domain: is not a key of a configuration; did you mean domains?"))
      try machine.configure(
        "{ endpoints = (\"\(server.endpoint)\"); domains = { first = (a); }; stateFolder = other; }"
          .replacing("{ endpoints", with: "\n{ endpoints"))
      agent.send(SIGHUP)
      try await agent.waitForLog("stateFolder: cannot change while the agent runs")
      try await machine.defaults("write", "first", "c", "2")
      try await agent.waitForLog("event=uploaded domain=first keys=1", count: 2)
      #expect(agent.log.split(separator: "event=connected").count == 4)

      // Changed connection settings restart everything.
      try machine.configure(
        [server.endpoint], ["first": ["a", "c"]], "prefix = \"other/\";")
      agent.send(SIGHUP)
      try await agent.waitForLog("event=reloaded domains=1")
      try await agent.waitForLog("event=uploaded domain=first keys=1", count: 3)
      #expect(
        try await server.control("get", "--prefix", "other/domains/", "--keys-only")
          == "other/domains/first/c\n\n")
      #expect(try await agent.end() == 0)
    }

    @Test("keeps pending uploads when it ends while the cluster is away")
    func shutdown() async throws {
      let server = try await EtcdServer.start()
      let machine = try SyncMachine()
      try machine.configure([server.endpoint])
      var agent = try machine.start("run")
      try await agent.waitForLog("event=connected")
      server.kill()
      try await agent.waitForLog("event=disconnected")
      try await machine.defaults("write", "org.example.editor", "theme", "offline")
      try await machine.waitForStatus(Self.place("pendingKeys"), 1)
      #expect(try await agent.end() == 0)
      #expect(agent.log.hasSuffix("event=stopped waiting=1\n"))

      // Another agent starts without the cluster, and uploads when it is back.
      agent = try machine.start("run")
      try await agent.waitForLog("event=failure domain=org.example.editor")
      try await machine.defaults("write", "org.example.editor", "size", "9")
      try await machine.waitForStatus(Self.place("pendingKeys"), 2)
      try server.launch()
      try await agent.waitForLog("event=uploaded domain=org.example.editor keys=2")
      #expect(try await agent.end() == 0)
      let other = try SyncMachine()
      try other.configure([server.endpoint])
      try await other.sync("pull").expect(
        output: "org.example.editor: 2 received, 0 waiting to be uploaded\n")
      #expect(try await other.defaults("read", "org.example.editor", "theme") == "offline")
    }

    @Test("uploads what was changed just before the end, and loses nothing when it is killed")
    func kill() async throws {
      let server = try await EtcdServer.start()
      let machine = try SyncMachine()
      let keys = (0..<50).map { "k\($0)" }
      try machine.configure([server.endpoint], ["d": keys])
      for round in 0..<3 {
        let agent = try machine.start("run")
        try await agent.waitForLog("event=connected")
        for key in keys[(round * 10)..<(round * 10 + 5)] {
          try await machine.defaults("write", "d", key, "round \(round)")
        }
        #expect(try await agent.end(SIGKILL) == 128 + SIGKILL)
        try await machine.defaults("write", "d", keys[40 + round], "no agent")
      }
      let run = try await machine.sync("push")
      #expect(run.status == 0, "\(run.error)")
      let other = try SyncMachine()
      try other.configure([server.endpoint], ["d": keys])
      #expect(try await other.sync("pull").text.hasPrefix("d: 18 received, "))
      #expect(try await other.defaults("read", "d") == (try await machine.defaults("read", "d")))
    }

    @Test("publishes why a domain cannot be started")
    func failedDomain() async throws {
      let server = try await EtcdServer.start()
      let machine = try SyncMachine()
      try machine.configure([server.endpoint])
      let agent = try machine.start(
        "run", wrapper: ["env", "XDG_CONFIG_HOME=/dev/null/no-user-folder"])
      try await agent.waitForLog("event=failure domain=org.example.editor")
      try await machine.waitForStatus { $0[Self.place("lastError")] != nil }
      let status = try await machine.sync("status")
      #expect(status.status == 1)
      #expect(status.text.contains("\norg.example.editor: not connected\n"), "\(status.text)")
      #expect(status.text.contains("\n  last error: "))
      let doctor = try await machine.sync("doctor")
      #expect(doctor.status == 1)
      #expect(
        doctor.text.contains("problem  agent: org.example.editor: not connected: "),
        "\(doctor.text)")
      #expect(try await agent.end() == 0)
    }

    @Test("says that a file stops a domain, though the cluster is connected")
    func damagedFile() async throws {
      let server = try await EtcdServer.start()
      let machine = try SyncMachine()
      try machine.configure([server.endpoint], ["d": ["k"], "fine": ["k"]])
      try await machine.defaults("write", "d", "k", "1")
      let agent = try machine.start("run")
      try await agent.waitForLog("event=connected", count: 2)
      try machine.folder.write("no property list", to: "config/d.plist")
      let push = try await machine.sync("push")
      #expect(push.status == 1)
      #expect(push.text == "fine: synchronized by the agent, process \(agent.identifier)\n")
      #expect(
        push.error.hasPrefix("d: \(machine.folder.path("config/d.plist")): "), "\(push.error)")
      let status = try await machine.sync("status")
      #expect(status.status == 1)
      #expect(status.text.contains("\nd: connected\n  stopped by: "), "\(status.text)")
      let doctor = try await machine.sync("doctor")
      #expect(doctor.text.contains("problem  agent: d: stopped: "), "\(doctor.text)")
      // Once it is repaired, everything continues.
      try machine.folder.write("{ k = 2; }", to: "config/d.plist")
      try await machine.sync("push").expect(
        output: ["d", "fine"].map {
          "\($0): synchronized by the agent, process \(agent.identifier)\n"
        }.joined())
      #expect(try await machine.sync("status").status == 0)
      #expect(try await agent.end() == 0)
    }

    @Test("is not asked in vain for what it does not have in its configuration")
    func otherConfiguration() async throws {
      let server = try await EtcdServer.start()
      let machine = try SyncMachine()
      try machine.configure([server.endpoint], ["d": ["k"]])
      let agent = try machine.start("run")
      try await agent.waitForLog("event=connected")
      try machine.configure([server.endpoint], ["d": ["k", "l"], "e": ["k"]])
      let error =
        "the agent has not read the configuration since it was changed; see systemctl reload"
      try await machine.sync("push").expect(error: "d: \(error)\ne: \(error)\n", status: 1)
      try machine.configure([server.endpoint], ["d": ["l"]])
      try await machine.sync("push").expect(error: "d: \(error)\n", status: 1)
      try machine.configure([server.endpoint], ["d": ["k", "l"], "e": ["k"]])
      agent.send(SIGHUP)
      try await agent.waitForLog("event=reloaded domains=2")
      let output = ["d", "e"].map {
        "\($0): synchronized by the agent, process \(agent.identifier)\n"
      }.joined()
      try await machine.sync("push").expect(output: output)
      // A different file is a different configuration; a link to the same file is not.
      let (other, link) = (machine.folder.path("other.plist"), machine.folder.path("link.plist"))
      try FileManager.default.copyItem(atPath: machine.configuration, toPath: other)
      try FileManager.default.createSymbolicLink(
        atPath: link, withDestinationPath: machine.configuration)
      try await machine.run("defaults-sync", ["push", "--config", other]).expect(
        error: "\(machine.folder.path("state")): the agent, process \(agent.identifier), uses this "
          + "state folder with another configuration, \(machine.configuration)\n", status: 1)
      try await machine.run("defaults-sync", ["push", "--config", link]).expect(output: output)
      #expect(try await agent.end() == 0)
    }

    @Test("notifies the service manager")
    func notifications() async throws {
      let server = try await EtcdServer.start()
      let folder = try TemporaryFolder()
      let manager = try NotificationReceiver(at: folder.path("notify"))
      let machine = try SyncMachine(environment: ["NOTIFY_SOCKET": folder.path("notify")])
      try machine.configure([server.endpoint])
      let agent = try machine.start("run")
      #expect(await eventually { manager.received.contains("READY=1") })
      let status = "STATUS=1 of 1 connected, 0 changes waiting"
      #expect(await eventually { manager.received.contains(status) })
      let before = manager.received.count
      agent.send(SIGHUP)
      #expect(await eventually { manager.received.dropFirst(before).contains("READY=1") })
      let reload = manager.received.dropFirst(before)
      #expect(reload.first?.wholeMatch(of: /RELOADING=1\nMONOTONIC_USEC=\d+/) != nil)
      #expect(try await agent.end() == 0)
      #expect(await eventually { manager.received.contains("STOPPING=1") })
    }

    @Test("replicates managed preferences as root", .enabled(if: getuid() == 0))
    func managed() async throws {
      let server = try await EtcdServer.start()
      let (administrator, machine) = (try SyncMachine(), try SyncMachine())
      try administrator.configure([server.endpoint])
      try machine.configure(
        "{ endpoints = (\"\(server.endpoint)\"); managed = (\"org.example.editor\"); }")
      try administrator.folder.write("{ locked = YES; }", to: "policy.plist")
      _ = try await administrator.sync(
        "push", "--managed", "org.example.editor", "policy.plist")
      try administrator.folder.write("{ volume = 7; }", to: "policy.plist")
      _ = try await administrator.sync("push", "--managed", "org.example.player", "policy.plist")
      let other = try machine.folder.text("sync.plist").replacing("editor", with: "player")
      try machine.folder.write(other, to: "other.plist")
      // The folder of managed files is visible only to this process.
      let script = """
        mount -t tmpfs none /etc/xdg && mkdir -m 755 /etc/xdg/managed && chmod 755 /etc/xdg || exit 9
        "$@" & agent=$!
        trap 'kill -TERM $agent' TERM
        until [ -f /etc/xdg/managed/org.example.editor.plist ]; do sleep 0.05; done
        defaults layers org.example.editor locked
        defaults-sync doctor --config sync.plist | grep managed
        until defaults-sync status --config sync.plist > status; do sleep 0.05; done
        cat status
        cp other.plist sync.plist
        kill -HUP $agent
        until defaults-sync status --config sync.plist | grep 'no longer'; do sleep 0.05; done
        defaults-sync doctor --config sync.plist | grep 'no longer'
        rm /etc/xdg/managed/org.example.editor.plist
        kill -HUP $agent
        while defaults-sync status --config sync.plist --json | grep editor.plist; do sleep 0.05; done
        echo removed
        wait $agent; wait $agent
        """
      let agent = try machine.start(
        "run", wrapper: ["unshare", "-m", "bash", "-c", script, "script"])
      try await agent.waitForLog("event=managed domain=org.example.editor")
      let file = "/etc/xdg/managed/org.example.editor.plist"
      #expect(agent.log.contains("event=managed domain=org.example.editor path=\(file) keys=1\n"))
      #expect(
        await eventually {
          agent.output.contains("  org.example.editor: 1 key (\(file))\n")
        }, "\(agent.output)")
      #expect(agent.output.contains("managed (\(file)) supplies the value"))
      #expect(agent.output.contains("ok       managed: /etc/xdg/managed can be written"))
      #expect(agent.output.contains("managed preferences: may be read; 2 records"))
      // The file of a domain that is no longer chosen stays, and the log says so.
      try await agent.waitForLog("event=unmanaged domain=org.example.editor path=\(file)\n")
      let text = "org.example.editor: no longer managed, but its file"
      #expect(await eventually { agent.output.contains("removed\n") }, "\(agent.output)")
      #expect(agent.output.contains("\n\(text) counts; remove \(file) to end that\n"))
      #expect(agent.output.contains("warning  managed: \(text) \(file) counts\n"))
      #expect(try await agent.end() == 0)
    }
  }

  /// A socket that receives the notifications of sd_notify(3).
  private final class NotificationReceiver {
    private let socket: Int32
    private var messages: [String] = []

    init(at path: String) throws {
      socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
      let result = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      try #require(result == 0)
    }

    deinit {
      close(socket)
    }

    /// The notifications so far.
    var received: [String] {
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = recv(socket, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        if count < 0 { return messages }
        messages.append(String(decoding: buffer[..<count], as: UTF8.self))
      }
    }
  }
#endif
