import Testing

@testable import SyncCommands

@Suite("The text of a status")
struct AgentStatusTextTests {
  @Test("names what waits, has failed, and counts though it is no longer managed")
  func lines() {
    var status = AgentStatus(process: 7, configuration: "/sync.plist")
    status.domains["d"] = DomainStatus(
      keys: 2, isConnected: true, pendingKeys: 1, stoppedKeys: 1, lastError: "too large")
    status.managed = ManagedStatus(
      isConnected: true, domains: ["m": .init(path: "/m.plist", keys: 1)])
    status.unmanagedFiles["old"] = "/old.plist"
    #expect(
      status.lines == [
        "agent: process 7", "configuration: /sync.plist", "d: connected",
        "  keys: 2, 1 stopped by errors", "  waiting to be uploaded: 1", "  last error: too large",
        "managed preferences: connected", "  m: 1 key (/m.plist)",
        "old: no longer managed, but its file counts; remove /old.plist to end that",
      ])
    #expect(status.summary == "2 of 2 connected, 1 change waiting, 1 key stopped by errors")
    status.domains["d"]?.error = "/d.plist: is damaged"
    #expect(status.lines[2...3] == ["d: connected", "  stopped by: /d.plist: is damaged"])
    #expect(status.summary.hasSuffix(", 1 key stopped by errors, 1 domain stopped by errors"))
    status.domains["d"]?.error = nil
    status.domains["d"]?.stoppedKeys = 0
    status.domains["d"]?.pendingKeys = 0
    #expect(status.summary == "2 of 2 connected, 0 changes waiting")
    #expect(
      AgentStatus(configuration: "c").lines == ["agent: none runs", "configuration: c"])
  }
}
