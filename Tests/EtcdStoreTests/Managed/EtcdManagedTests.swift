#if Etcd
  import EtcdStore
  import Foundation
  import Preferences
  import PreferencesSync
  import PropertyList
  import TestSupport
  import Testing

  @Suite("A rollout through etcd", .timeLimit(.minutes(10)), .serialized)
  struct EtcdManagedTests {
    @Test("A machine that may only read gets managed files, and nobody else can change the keys")
    func permissions() async throws {
      let fleet = try await ManagedFleet.start()
      try await fleet.publish(["theme": "dark"])
      let machine = try TemporaryFolder()
      let replica = try fleet.replica(in: machine)
      try await replica.waitForCompletion()
      #expect(machine.managed == ["theme": "dark"])
      try await fleet.publish(["theme": "blue", "idle": 300])
      #expect(await eventually { machine.managed == ["theme": "blue", "idle": 300] })

      for user in ["machine", "fleet"] {
        await #expect {
          try await fleet.publish(["theme": "mine"], as: user)
        } throws: { error in
          "\(error)".contains("may not do this")
        }
      }
      // The prefix of ordinary values leads nowhere else.
      let values = try fleet.store(of: "fleet", prefix: "larder/")
      let record = try SyncRecord(date: .now, value: "mine").data
      for key in ["org.example.app/theme", "managed/org.example.app/theme"] {
        try await values.put(record, forKey: key, replacing: 0).requireStored()
      }
      try await replica.waitForCompletion()
      #expect(machine.managed == ["theme": "blue", "idle": 300])
      #expect(replica.status.domains.map(\.keyCount) == [2])
      #expect(replica.status.endpoint == fleet.server.endpoint)
      #expect(try #require(replica.status.clockSkew) < .seconds(3600))
      replica.cancel()
    }

    @Test("Large rollouts, compaction and a dead member lose nothing")
    func outage() async throws {
      let fleet = try await ManagedFleet.start()
      let server = fleet.server
      var values = PlistDictionary()
      for number in 0..<1000 { values["k\(number)"] = .string("value \(number)") }
      #expect(try await fleet.publish(values).added.count == 1000)
      let machine = try TemporaryFolder()
      var replica = try fleet.replica(in: machine)
      try await replica.waitForCompletion()
      #expect(machine.managed == values)

      // The machine is off while keys are removed and the history is compacted.
      replica.cancel()
      for number in 0..<500 { values["k\(number)"] = nil }
      #expect(try await fleet.publish(values).removed.count == 500)
      let revision = try await fleet.store(of: "administrator").entries().revision
      try await server.control("--user", "root:root-secret", "compact", String(revision))
      replica = try fleet.replica(in: machine)
      #expect(await eventually { machine.managed == values })

      // The cluster is away.
      server.kill()
      replica.cancel()
      replica = try fleet.replica(in: machine)
      #expect(await eventually { replica.status.lastError != nil })
      #expect(machine.managed == values)
      #expect(replica.status.domains.map(\.name) == ["org.example.app"])
      try server.launch()
      values["k999"] = "changed"
      try await repeated { try await fleet.publish(values) }
      replica.synchronize()
      #expect(await eventually { machine.managed == values })
      replica.cancel()
    }

    @Test("A wrong password and a revoked permission leave the files as they are")
    func revocation() async throws {
      let fleet = try await ManagedFleet.start()
      try await fleet.publish(["theme": "dark"])
      let machine = try TemporaryFolder()
      var replica = try fleet.replica(in: machine)
      try await replica.waitForCompletion()
      replica.cancel()
      try await fleet.server.control(
        "--user", "root:root-secret", "role", "revoke-permission", "machine", "managed/",
        "managed0")
      replica = try fleet.replica(in: machine)
      #expect(await eventually { replica.status.lastError != nil })
      #expect("\(replica.status.lastError!)".contains("may not do this"))
      #expect(machine.managed == ["theme": "dark"])
      replica.cancel()
      for words in [["delete", "machine"], ["add", "machine:other-secret"]] {
        try await fleet.server.control(
          "--user", "root:root-secret", "user", words[0], words[1])
      }
      replica = try fleet.replica(in: machine)
      #expect(await eventually { replica.status.lastError != nil })
      #expect("\(replica.status.lastError!)".hasSuffix("the password of the user machine is wrong"))
      #expect(machine.managed == ["theme": "dark"])
      replica.cancel()
    }

    @Test(
      "Another user's program has the managed values above its own, and cannot change them",
      .enabled(if: geteuid() == 0))
    func otherUser() async throws {
      let fleet = try await ManagedFleet.start()
      try await fleet.publish(["theme": "dark", "idle": 300])
      let machine = try TemporaryFolder()
      let replica = try fleet.replica(in: machine)
      try await replica.waitForCompletion()
      chmod(machine.path, 0o755)
      try machine.write(Self.session, to: "session")

      // The folder of managed files replaces the system's in a mount namespace.
      var program = BuiltProgram("defaults")
      program.environment = ["PATH": BuiltProgram.searchPath]
      let run = try program.run(
        "/usr/bin/unshare", ["--mount", "/bin/sh", "-eu", machine.path("session")], in: machine)
      #expect(run.error == "")
      #expect(
        run.text.replacing(machine.path, with: "folder") == """
          managed (/etc/xdg/managed/org.example.app.plist) supplies the value
              dark
          user (folder/home/.config/org.example.app.plist) is hidden
              light
          not written
          not removed
          not moved
          managed (/etc/xdg/managed/org.example.app.plist) supplies the value
              dark
          user (folder/home/.config/org.example.app.plist) is hidden
              light

          """)
      replica.cancel()
    }

    /// Commands that root runs, some as a user without privileges. The working directory is the
    /// machine's folder.
    private static let session = """
      cp -a /etc etc && mkdir -p etc/xdg && cp -a managed etc/xdg/managed && mount --bind etc /etc
      mkdir home && chown 54321 home && cp "$(command -v defaults)" . && chmod 755 defaults
      cat > user <<'END'
      app=org.example.app
      file=/etc/xdg/managed/$app.plist
      ./defaults write $app theme light
      ./defaults layers $app theme
      (echo '{}' > $file) 2> /dev/null || echo 'not written'
      rm -f $file 2> /dev/null || echo 'not removed'
      mv /etc/xdg/managed home/ 2> /dev/null || echo 'not moved'
      ./defaults layers $app theme
      END
      env HOME="$PWD/home" setpriv --reuid=54321 --regid=54321 --clear-groups sh -eu user

      """
  }
#endif
