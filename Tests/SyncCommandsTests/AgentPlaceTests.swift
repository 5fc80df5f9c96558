import FileStorage
import Foundation
import TestSupport
import Testing

@testable import SyncCommands

@Suite("An agent elsewhere")
struct AgentPlaceTests {
  /// The words that run a program in a separate process namespace; as a user, where that is
  /// permitted.
  private static let container =
    ["--fork", "--kill-child", "--pid", "--mount-proc"]
    + (geteuid() == 0 ? [] : ["--user", "--map-root-user"])

  /// Whether there can be such programs here.
  private static let isPermitted =
    (try? BuiltProgram("").run("/usr/bin/unshare", container + ["true"], in: TemporaryFolder()))?
    .status == 0

  @Test(
    "is neither signaled nor taken for a process of this machine",
    .enabled(if: isPermitted, "PID namespaces are not permitted here."))
  func elsewhere() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "{ endpoints = (\"http://127.0.0.1:1\"); stateFolder = state; domains = { d = (k); }; }",
      to: "sync.plist")
    chmod(folder.path("sync.plist"), 0o644)
    let configuration = try Configuration.load(folder.path("sync.plist"))
    let state = StateFolder(configuration)
    let lock = try #require(try state.acquire())
    let publisher = StatusPublisher(configuration, ServiceManager(address: nil))
    publisher.run()
    publisher.stop()
    // Seen from there, the process that holds the lock has no number.
    let sync = { (words: String...) in
      let program = BuiltProgram("defaults-sync").path
      return try BuiltProgram("").run(
        "/usr/bin/unshare", Self.container + [program] + words + ["--config", "sync.plist"],
        in: folder)
    }
    for verb in ["push", "pull"] {
      try sync(verb).expect(
        error: "\(state.path): an agent on another machine or in another container uses this state "
          + "folder; run \(verb) there\n", status: 1)
    }
    try sync("run").expect(
      error: "\(state.path): another agent, on another machine or in another container, uses this "
        + "state folder\n", status: 1)
    let status = try sync("status")
    #expect(
      status.text.hasPrefix("agent: on another machine or in another container, since 20"),
      "\(status.text)\(status.error)")
    withExtendedLifetime(lock) {}
  }

  @Test("publishes the latest beginning of the synchronizations that have ended")
  func simultaneous() throws {
    let folder = try TemporaryFolder()
    try folder.write("{ endpoints = (\"http://127.0.0.1:1\"); managed = (d); }", to: "sync.plist")
    chmod(folder.path("sync.plist"), 0o644)
    var configuration = try Configuration.load(folder.path("sync.plist"))
    configuration.stateFolder = folder.path
    let state = StateFolder(configuration)
    let publisher = StatusPublisher(configuration, ServiceManager(address: nil))
    let second = AgentStatus.Synchronization(start: 2, errors: ["d": "too large"])
    publisher.noteSynchronization(second)
    publisher.noteSynchronization(AgentStatus.Synchronization(start: 1))
    publisher.run()
    publisher.stop()
    let status = try #require(state.status(publishedBy: .process(getpid())))
    #expect(status.synchronization == second)
    #expect(state.status(publishedBy: .process(1)) == nil)
    #expect(state.status(publishedBy: nil) == nil)
  }
}
