import Foundation
import Preferences
import PropertyList
import TestSupport
import Testing

extension ProcessTests {
  @Suite("The server of the examples") struct TenantServerTests {
    private let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
    }

    // MARK: Requests

    @Test("It answers each request by a line")
    func requests() throws {
      let server = try TestServer(in: folder)
      let client = try server.client()
      let rows = [
        ("get acme theme", "error: theme has no value"),
        ("get acme greeting", "Welcome"),
        ("set acme theme dark blue", "ok"),
        ("get acme theme", "dark blue"),
        ("set acme seats 5", "ok"),
        ("add acme seats -2", "3"),
        ("add acme visits 1", "1"),
        ("add acme theme 1", "error: theme is no integer"),
        ("add acme seats many", "error: many is no integer"),
        ("add acme seats 9223372036854775807", "error: seats would be too large"),
        ("update acme width=3 height=4 title=", "ok"),
        ("update acme width=5 height", "error: height is not KEY=VALUE"),
        ("get acme width", "3"),
        ("remove acme title", "ok"),
        ("set other suspended true", "ok"),
        ("get ../acme theme", "error: ../acme is no name of a tenant"),
        ("sing", "error: this is no request; expected one such as: get TENANT KEY"),
        ("reload", "ok"), ("flush", "ok"),
      ]
      for (request, answer) in rows { #expect(client.ask(request) == answer, "\(request)") }
      #expect(
        client.askForLines("list acme") == [
          "greeting Welcome", "height 4", "seats 3", "theme dark blue", "visits 1", "width 3",
        ])
      #expect(
        try folder.tenant("acme")
          == ["height": 4, "seats": 3, "theme": "dark blue", "visits": 1, "width": 3])
      #expect(try folder.tenant("other") == ["suspended": true])
      #expect(client.ask("quit") == "bye")
      #expect(client.readLine() == nil)
      #expect(server.end() == 0, "\(server.process.errorText())")
      #expect(!FileManager.default.fileExists(atPath: folder.path("socket")))
    }

    @Test("Requests can be sent in pieces, several at once, and by the program itself")
    func pieces() throws {
      let server = try TestServer(in: folder, "--longestRequest=64")
      let client = try server.client()
      client.send("set acme a 1\nset acme b 2\nget ac")
      #expect(client.readLine() == "ok" && client.readLine() == "ok")
      client.send("me b\n")
      #expect(client.readLine() == "2")
      #expect(
        client.ask(String(repeating: "x", count: 70)) == "error: a request has at most 64 bytes")
      #expect(client.readLine() == nil)

      func ask(_ request: String...) throws -> (Int32, String) {
        let run = try BuiltProgram("TenantServer").run(
          ["ask", folder.path("socket")] + request, in: folder)
        return (run.status, run.text)
      }
      #expect(try ask("get", "acme", "a") == (0, "1\n"))
      #expect(try ask("get", "acme", "c") == (1, "error: c has no value\n"))
      #expect(try ask("list", "acme") == (0, "a 1\nb 2\ngreeting Welcome\n.\n"))
      #expect(server.end(by: SIGINT) == 0)
    }

    // MARK: Files

    @Test("What other processes save is seen without a call")
    func liveReload() throws {
      let server = try TestServer(in: folder)
      let client = try server.client()
      #expect(client.ask("set acme theme dark") == "ok")
      #expect(client.ask("flush") == "ok")
      try PreferencesStore(fileAt: folder.tenantFile("acme")).update { $0["theme"] = "light" }
      #expect(eventually { client.ask("get acme theme") == "light" })
      // As an editor does.
      try folder.write("{ theme = grey; }", to: "new.plist")
      #expect(rename(folder.path("new.plist"), folder.tenantFile("acme")) == 0)
      #expect(eventually { client.ask("get acme theme") == "grey" })
      server.process.send(SIGHUP)
      #expect(client.ask("get acme theme") == "grey")
      #expect(server.end() == 0)
    }

    @Test("Metrics count requests, and what happens to files")
    func metrics() throws {
      let server = try TestServer(in: folder)
      let client = try server.client()
      #expect(client.ask("set acme theme dark") == "ok")
      #expect(client.ask("get acme color") == "error: color has no value")
      #expect(client.ask("flush") == "ok")
      let lines = Set(client.askForLines("metrics"))
      for line in [
        "# TYPE tenant_server_requests_total counter",
        "tenant_server_requests_total{verb=\"get\"} 1",
        "tenant_server_requests_total{verb=\"set\"} 1", "tenant_server_failed_requests_total 1",
        "tenant_server_tenants 1", "larder_commits_total 1", "larder_commit_failures_total 0",
        "larder_unsaved_domains 0", "larder_oldest_unsaved_seconds 0.0", "larder_polled_files 0",
        "larder_descriptors 2",
      ] { #expect(lines.contains(line), "\(line)") }

      try Data("damaged".utf8).write(to: URL(fileURLWithPath: folder.tenantFile("acme")))
      #expect(
        eventually {
          client.askForLines("metrics").contains("larder_events_total{event=\"readFailure\"} 1")
        })
      #expect(client.ask("get acme theme") == "dark")
      #expect(server.end() == 0)
    }

    // MARK: Settings

    @Test("The command line comes before the environment, the file and the defaults")
    func settings() throws {
      try PreferencesStore(fileAt: folder.path("settings.plist")).update { values in
        values["longestRequest"] = 64
        values["maximumTenants"] = 1
        values["threads"] = 0
      }
      var failure = #expect(throws: TestServer.StartFailure.self) { try TestServer(in: folder) }
      #expect(
        failure?.description.hasSuffix("threads must be an integer from 1 to 1024\n") == true,
        "\(failure?.description ?? "")")
      try PreferencesStore(fileAt: folder.path("settings.plist")).update { $0["threads"] = 2 }
      failure = #expect(throws: TestServer.StartFailure.self) {
        try TestServer(in: folder, wrapper: ["TENANT_SERVER_WORKERS=100"])
      }
      #expect(
        failure?.description == "TenantServer: workers must be an integer from 0 to 64\n")

      let server = try TestServer(
        in: folder, "--threads=3", wrapper: ["TENANT_SERVER_LONGEST_REQUEST=128"])
      let client = try server.client()
      #expect(client.ask("set acme theme " + String(repeating: "x", count: 80)) == "ok")
      #expect(client.ask("get other theme") == "error: there are 1 tenants already")

      // A limit that does not pass the check changes nothing; one that does counts at once.
      try PreferencesStore(fileAt: folder.path("settings.plist")).update {
        $0["maximumTenants"] = "all"
      }
      #expect(
        eventually {
          client.askForLines("metrics").contains(
            "larder_events_total{event=\"lastGoodContents\"} 1")
        })
      #expect(client.ask("get other theme") == "error: there are 1 tenants already")
      try PreferencesStore(fileAt: folder.path("settings.plist")).update {
        $0["maximumTenants"] = 2
      }
      #expect(eventually { client.ask("get other theme") == "error: theme has no value" })
      #expect(server.end() == 0)
    }

    @Test("It needs no HOME, no more than 32 descriptors, and no other privileges")
    func fewResources() throws {
      let server = try TestServer(
        in: folder, "--threads=4",
        wrapper: ["-i", "PATH=/usr/bin:/bin", "SWIFT_BACKTRACE=enable=no", "setpriv"]
          + ["--no-new-privs", "bash", "-c", "ulimit -n 32; exec \"$@\"", "bash"])
      let client = try server.client()
      for tenant in 0..<100 { #expect(client.ask("set tenant-\(tenant) count 1") == "ok") }
      #expect(client.ask("flush") == "ok")
      for tenant in 0..<100 { #expect(client.ask("set tenant-\(tenant) count 2") == "ok") }
      #expect(server.end() == 0, "\(server.process.errorText())")
      for tenant in 0..<100 { #expect(try folder.tenant("tenant-\(tenant)") == ["count": 2]) }
    }

    // MARK: The end

    @Test("Whatever was acknowledged before SIGTERM is on disk afterwards")
    func gracefulEnd() throws {
      let server = try TestServer(in: folder)
      let acknowledged = Recorder<(tenant: Int, count: Int64)>()
      let threads = try (0..<8).map { tenant in
        let client = try server.client()
        return TestThread {
          var count: Int64 = 0
          while client.ask("set tenant-\(tenant) count \(count + 1)") == "ok" { count += 1 }
          acknowledged.record((tenant, count))
        }
      }
      let client = try server.client()
      #expect(
        eventually {
          (0..<8).allSatisfy { Int(client.ask("get tenant-\($0) count") ?? "") ?? 0 > 50 }
        })
      #expect(server.end() == 0, "\(server.process.errorText())")
      for thread in threads { #expect(thread.join()) }
      #expect(acknowledged.all.count == 8)
      for (tenant, count) in acknowledged.all {
        guard case .integer(let saved)? = try folder.tenant("tenant-\(tenant)")["count"] else {
          Issue.record("tenant \(tenant) has no count")
          continue
        }
        // The answer to the last request may not have arrived.
        #expect(saved == count || saved == count + 1)
      }
    }

    @Test("A tenant whose file is locked fails the end, and holds up no other")
    func lockedAtEnd() throws {
      let server = try TestServer(in: folder, "--shutdownSeconds=1")
      let client = try server.client()
      for tenant in ["free", "locked"] { #expect(client.ask("set \(tenant) a 1") == "ok") }
      #expect(client.ask("flush") == "ok")
      let holder = try TestProcess(folder.tenantFile("locked"), "hold-lock")
      #expect(holder.readLine() == "held")
      for tenant in ["free", "locked"] { #expect(client.ask("set \(tenant) a 2") == "ok") }
      #expect(server.end() == 1)
      let text = server.process.errorText()
      #expect(text.contains("TenantServer: \(folder.tenantFile("locked")): "), "\(text)")
      #expect(try folder.tenant("free") == ["a": 2])
      TestProcess.finish([holder])
    }
  }
}
