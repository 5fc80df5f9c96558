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
      let place =
        switch try? stateFolder.agent() {
        case .process(let process): ", process \(process),"
        case .elsewhere: ", on another machine or in another container,"
        case nil: ""
        }
      throw CommandFailure("\(stateFolder.path): another agent\(place) uses this state folder")
    }
    do throws(EtcdError) {
      try Agent(configuration).run()
    } catch {
      throw CommandFailure("\(error)")
    }
    withExtendedLifetime(lock) {}
  }
}
