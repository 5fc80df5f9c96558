import Foundation
import Preferences
import PropertyList
import TestSupport
import Testing

extension ProcessTests {
  @Suite("The processes of the server of the examples") struct TenantServerProcessTests {
    private let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
    }

    /// Connects clients until two processes not in a list have answered.
    private func clients(
      of server: TestServer, except others: Set<pid_t> = []
    ) throws -> [(process: pid_t, client: TenantClient)] {
      var found: [pid_t: TenantClient] = [:]
      _ = eventually {
        if let client = TenantClient(server.folder.path("socket")), let process = client.server,
          !others.contains(process)
        {
          found[process] = client
        }
        return found.count == 2
      }
      try #require(found.count == 2)
      return found.map { ($0.key, $0.value) }
    }

    @Test("Two workers that change the same tenant lose nothing")
    func twoWorkers() throws {
      let server = try TestServer(in: folder, "--workers=2", "--threads=4")
      let clients = try clients(of: server)
      let threads = clients.map { _, client in
        TestThread {
          for _ in 0..<50 { #expect(Int(client.ask("add acme visits 1") ?? "") != nil) }
        }
      }
      for thread in threads { #expect(thread.join()) }
      for (process, client) in clients {
        #expect(eventually { client.ask("get acme visits") == "100" })
        #expect(client.ask("set acme worker-\(process) 1") == "ok")
      }
      #expect(server.end() == 0, "\(server.process.errorText())")
      var expected: PlistDictionary = ["visits": 100]
      for (process, _) in clients { expected["worker-\(process)"] = 1 }
      #expect(try folder.tenant("acme") == expected)
    }

    @Test("A worker that is killed is replaced, and what was flushed is not lost")
    func killedWorker() throws {
      let server = try TestServer(in: folder, "--workers=2", "--threads=4")
      let first = try clients(of: server)
      for (process, client) in first {
        #expect(client.ask("set acme worker-\(process) 1") == "ok")
        #expect(client.ask("flush") == "ok")
      }
      for (process, _) in first { kill(process, SIGKILL) }
      let second = try clients(of: server, except: Set(first.map(\.process)))
      for (process, _) in first {
        #expect(second[0].client.ask("get acme worker-\(process)") == "1")
      }
      #expect(second[1].client.ask("set acme after 2") == "ok")
      server.process.send(SIGHUP)
      #expect(server.end() == 0, "\(server.process.errorText())")
      #expect(try folder.tenant("acme")["after"] == 2)
      let lines = server.process.readLines()
      #expect(lines.count { $0.hasSuffix(" has ended: signal 9") } == 2, "\(lines)")
      #expect(lines.count { $0.hasSuffix(" has ended: exit 0") } == 2, "\(lines)")
    }

    @Test("Workers save everything and end when their supervisor is killed")
    func killedSupervisor() throws {
      let server = try TestServer(in: folder, "--workers=2", "--threads=4")
      let clients = try clients(of: server)
      for (process, client) in clients {
        #expect(client.ask("set acme worker-\(process) 1") == "ok")
      }
      #expect(server.end(by: SIGKILL) == 128 + SIGKILL)
      for (process, client) in clients {
        // The connection ends with the worker's threads, before it has saved.
        #expect(client.readLine() == nil)
        #expect(eventually { (try? folder.tenant("acme"))?["worker-\(process)"] == 1 })
      }
      // The socket that it leaves behind is replaced.
      #expect(eventually { TenantClient(folder.path("socket")) == nil })
      let next = try TestServer(in: folder)
      #expect(try next.client().ask("get acme worker-\(clients[0].process)") == "1")
      #expect(next.end() == 0)
    }

    @Test(
      "A daemon returns when clients can connect, and saves everything on SIGTERM",
      arguments: [0, 2])
    func daemon(workers: Int) throws {
      // Without the test's descriptors, because the test waits for them to be closed.
      let command =
        ["bash", "-c", "for n in {3..63}; do eval \"exec $n>&-\"; done; exec \"$@\"", "bash"]
        + [BuiltProgram("TenantServer").path] + TestServer.options(in: folder)
        + ["--daemon=true", "--workers=\(workers)"]
      let start = try TestProcess(command: command)
      #expect(start.wait() == 0)
      let client = try #require(TenantClient(folder.path("socket")))
      #expect(client.ask("set acme theme dark") == "ok")
      let process = try #require(
        pid_t(try folder.text("pid").trimmingCharacters(in: .newlines)))
      #expect(process != start.identifier)
      // In a new session that it does not lead.
      #expect(getsid(process) != getsid(0) && getsid(process) != process)

      let second = try TestProcess(command: command)
      #expect(second.wait() == 1)
      #expect(
        second.errorText() == "TenantServer: \(folder.path("pid")): another server is running\n")

      kill(process, SIGTERM)
      #expect(eventually { !FileManager.default.fileExists(atPath: folder.path("pid")) })
      #expect(try folder.tenant("acme") == ["theme": "dark"])
    }
  }
}
