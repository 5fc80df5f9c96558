import Foundation
import PropertyList
import TestSupport
import Testing

extension ProcessTests {
  @Suite(
    "A server with a thousand stores and sixteen reading threads",
    .enabled(if: ServerScale.seconds > 0, "make serve runs it"))
  struct ServerTests {
    private static let tenants = 1000
    private static let readers = 16

    /// The figures that the server prints each second.
    private struct Report {
      var numbers: [String: Int] = [:]

      /// Parses a line of the server; nil for a line of another kind.
      init?(_ line: String) {
        let words = line.split(separator: " ").map(String.init)
        guard words.first == "reads" else { return nil }
        for index in stride(from: 0, to: words.count - 1, by: 2) {
          numbers[words[index]] = Int(words[index + 1])
        }
      }

      subscript(name: String) -> Int { numbers[name]! }
    }

    @Test(
      "The server sees other processes' writes, uses constant resources, and saves all on SIGTERM")
    func serves() throws {
      let folder = try TemporaryFolder()
      let path = folder.path("")
      let server = try TestProcess(
        path, "serve-tenants", String(Self.tenants), String(Self.readers))
      #expect(server.readLine() == "ready")
      let writer = try TestProcess(
        path, "update-tenants", String(Self.tenants), String(ServerScale.seconds))

      var reports: [Report] = []
      for _ in 0..<ServerScale.seconds {
        reports.append(try #require(Report(server.readLine() ?? "")))
      }
      let writes = try #require(Int(writer.readLine() ?? ""))
      TestProcess.finish([writer])
      // On a busy machine the server may see the last write late.
      for _ in 0..<max(120, ServerScale.seconds) where reports.last?["versions"] != writes {
        reports.append(try #require(Report(server.readLine() ?? "")))
      }
      #expect(reports.last?["versions"] == writes)
      #expect(writes > 0)
      #expect(reports.allSatisfy { $0["reads"] > 0 })
      #expect(reports.last!["changes"] > 0 && reports.last!["changes"] <= writes)
      Self.checkFlat(reports)

      server.send(SIGTERM)
      let rest = server.readLines()
      #expect(server.wait() == 0, "\(server.errorText())")
      // A report that became due at the end may come last.
      #expect(rest.contains("errors 0"))
      #expect(rest.contains { $0.hasPrefix("saved \(Self.tenants) stores in ") })
      for tenant in 0..<Self.tenants {
        let values = try folder.values("tenant-\(tenant)/user/org.example.service.plist")
        #expect(values["stopped"] == .boolean(true))
      }
      print("server: \(writes) writes of another process, \(reports.last!.numbers), \(rest)")
    }

    /// Expects that the server's resources do not grow.
    private static func checkFlat(_ reports: [Report]) {
      let half = reports.count / 2
      func least(_ name: String, _ reports: ArraySlice<Report>) -> Int {
        reports.map { $0[name] }.min()!
      }
      // Files are open only while they are read and saved, and threads exist only while busy.
      #expect(least("descriptors", reports[half...]) <= least("descriptors", reports[..<half]))
      // Saving takes at most 48 threads, as many as the files that it waits for.
      #expect(reports.allSatisfy { $0["threads"] <= Self.readers + 6 + 48 })
      // Most tenants get their first value during the first half.
      let growth = least("memory", reports[half...]) - least("memory", reports[..<half])
      #expect(growth < 16 << 10, "grown by \(growth) KiB")
    }
  }
}

private enum ServerScale {
  /// How long another process writes, in seconds.
  static let seconds =
    ProcessInfo.processInfo.environment["LARDER_SERVER_SECONDS"].flatMap(Int.init) ?? 0
}
