internal import FileStorage
internal import FoundationEssentials
internal import Glibc
internal import PropertyList
internal import Threading

/// Writes the status of the agent to its file and to the service manager, and logs events, at most
/// once a second.
final class StatusPublisher: Sendable {
  private struct State {
    var configuration: Configuration
    var domains: [DomainSynchronization] = []
    var failedDomains: [String: DomainStatus] = [:]
    var managed: ManagedReplication?
    var synchronization: AgentStatus.Synchronization?
    var isStopped = false
    var written: AgentStatus?
    /// Whether the last attempt to write failed.
    var hasFailed = false
  }

  private let folder: StateFolder
  private let manager: ServiceManager
  private let start = Date.now
  private let state: Lock<State>
  private let change = AutoResetEvent()
  private let stopSign = AutoResetEvent()
  private let hasEnded = Semaphore(count: 0)

  init(_ configuration: Configuration, _ manager: ServiceManager) {
    folder = StateFolder(configuration)
    self.manager = manager
    state = Lock(State(configuration: configuration))
  }

  /// The minimum and the maximum time between writes of the status.
  private static let interval = Duration.seconds(1)
  private static let longestInterval = Duration.seconds(60)

  /// Sets the parts of the status.
  ///
  /// - Parameter failedDomains: The domains whose synchronization could not be started.
  func publish(
    _ configuration: Configuration, _ domains: [DomainSynchronization],
    failedDomains: [String: DomainStatus], _ managed: ManagedReplication?
  ) {
    state.withLock { state in
      state.configuration = configuration
      state.domains = domains
      state.failedDomains = failedDomains
      state.managed = managed
    }
    noteChange()
  }

  /// Requests that the status be written soon.
  func noteChange() { change.signal() }

  /// Publishes that a requested synchronization has ended, unless a later one has already ended.
  func noteSynchronization(_ synchronization: AgentStatus.Synchronization) {
    state.withLock { state in
      if let latest = state.synchronization, latest.start > synchronization.start { return }
      state.synchronization = synchronization
    }
    noteChange()
  }

  /// Starts the thread that writes the status, and then each change of it.
  func run() {
    let isStarted = BackgroundThread.start("larder-status") { [self] in
      while true {
        let isLast = state.withLock { $0.isStopped }
        write()
        if isLast { break }
        ForkGate.shared.allowingForks {
          stopSign.wait(for: Self.interval)
          change.wait(for: Self.longestInterval)
        }
      }
      hasEnded.post()
    }
    if isStarted { return }
    AgentLog.write(.error, "thread-failure", ["thread": "larder-status"])
    hasEnded.post()
  }

  /// Writes the status for the last time.
  func stop() {
    state.withLock { $0.isStopped = true }
    stopSign.signal()
    change.signal()
    hasEnded.wait()
  }

  private func write() {
    let (configuration, domains, failedDomains, managed) = state.withLock {
      ($0.configuration, $0.domains, $0.failedDomains, $0.managed)
    }
    for domain in domains { domain.logProgress() }
    managed?.logProgress()
    var status = AgentStatus(process: getpid(), startDate: start, configuration: configuration.path)
    status.domains = failedDomains
    for domain in domains { status.domains[domain.domain] = domain.status }
    status.managed = managed?.status
    status.unmanagedFiles = StateFolder(configuration).unmanagedFiles(configuration.managed)
    status.synchronization = state.withLock { $0.synchronization }
    let isNew = state.withLock { exchange(&$0.written, with: status) != status }
    if !isNew { return }
    manager.notify("STATUS=\(status.summary)")
    do {
      let data = try PlistEncoder(outputFormat: .binary).encode(status)
      try AtomicFile.write(data, to: folder.statusFile, isPrivate: true)
      state.withLock { $0.hasFailed = false }
    } catch {
      let isFirst = state.withLock { !exchange(&$0.hasFailed, with: true) }
      if isFirst {
        AgentLog.write(
          .warning, "status-failure", ["path": folder.statusFile, "error": "\(error)"])
      }
    }
  }
}
