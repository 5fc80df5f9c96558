internal import CommandLineInterface
internal import EtcdStore
internal import FileStorage
internal import Threading

/// `run`
extension SyncTool {
  /// Runs the agent until a signal ends it.
  func runAgent() throws(CommandFailure) {
    AgentSignals.block()
    let lock: OwnershipLock?
    do throws(FileSystemError) {
      lock = try stateFolder.acquire()
    } catch {
      throw CommandFailure("\(stateFolder.path): \(error)")
    }
    guard let lock else {
      let process = (try? stateFolder.agentProcess()).map { ", process \($0)," } ?? ""
      throw CommandFailure("\(stateFolder.path): another agent\(process) uses this state folder")
    }
    do throws(EtcdError) {
      try Agent(configuration).run()
    } catch {
      throw CommandFailure("\(error)")
    }
    withExtendedLifetime(lock) {}
  }
}
