internal import CommandLineInterface
internal import EtcdStore
internal import FileStorage
internal import FoundationEssentials
internal import Glibc
internal import Preferences
internal import Threading

/// The agent: keeps the domains of a configuration in sync until a signal ends it.
///
/// Except for the publication of the status, everything happens on the main thread, which waits for
/// signals.
final class Agent {
  private var configuration: Configuration
  private var cluster: Cluster
  private let publisher: StatusPublisher
  private let manager = ServiceManager()
  private var domains: [String: DomainSynchronization] = [:]
  /// The domains whose synchronization could not be started.
  private var failedDomains: [String: DomainStatus] = [:]
  private var managed: ManagedReplication?

  /// Prepares an agent, which starts with ``run()``.
  init(_ configuration: Configuration) throws(EtcdError) {
    self.configuration = configuration
    cluster = try Cluster(configuration.connection)
    publisher = StatusPublisher(configuration, manager)
  }

  /// How long uploads, and then the saving of files, may take when the agent ends.
  private static let uploadTime = Duration.seconds(3)
  /// How long a synchronization that a caller waits for may take.
  private static let synchronizationTime = Duration.seconds(30)
  private static let savingTime = Duration.seconds(5)

  /// Runs until SIGTERM or SIGINT; SIGHUP reads the configuration again, and SIGUSR1 synchronizes at
  /// once.
  func run() {
    AgentLog.write(
      .info, "started",
      [
        "process": getpid(), "configuration": configuration.path,
        "state": configuration.stateFolder,
      ])
    let events = PreferencesStore.onEvent(Self.log)
    apply(configuration)
    publisher.run()
    manager.notify("READY=1")
    while true {
      let signal = AgentSignals.next()
      switch signal {
      case SIGHUP: reload()
      case SIGUSR1:
        let failures = failedDomains.compactMapValues(\.lastError)
        Self.synchronize(Array(domains.values), publisher, failures: failures)
      default:
        stop(signal)
        return events.cancel()
      }
    }
  }

  private static func log(_ event: PreferencesEvent) {
    AgentLog.write(
      event.isWarning ? .warning : .info, event.name,
      ["domain": event.domain, "path": event.path, "key": event.key, "message": event])
  }

  // MARK: Configuration

  private func reload() {
    manager.notify("RELOADING=1", "MONOTONIC_USEC=\(ServiceManager.monotonicTime)")
    defer { manager.notify("READY=1") }
    do {
      let new = try Configuration.load(configuration.path)
      guard new.stateFolder == configuration.stateFolder else {
        throw ConfigurationError(lines: [
          "\(new.path): stateFolder: cannot change while the agent runs; start it again"
        ])
      }
      if new.connection != configuration.connection {
        cluster = try Cluster(new.connection)
        for domain in domains.values { domain.cancel() }
        domains = [:]
        managed?.cancel()
        managed = nil
      }
      apply(new)
      AgentLog.write(.info, "reloaded", ["domains": domains.count])
    } catch {
      // One line for each mistake.
      for line in "\(error)".split(separator: "\n") {
        AgentLog.write(.error, "reload-refused", ["error": line])
      }
    }
  }

  /// Starts, changes and stops synchronizations to match a configuration.
  private func apply(_ new: Configuration) {
    for (name, domain) in domains where new.domains[name] == nil {
      domain.cancel()
      domains[name] = nil
      AgentLog.write(.info, "removed", ["domain": name])
    }
    failedDomains = [:]
    for (name, keys) in new.domains.sorted(by: { $0.key < $1.key }) {
      if let domain = domains[name] {
        if keys != configuration.domains[name] {
          domain.setKeys(keys)
          AgentLog.write(.info, "changed", ["domain": name, "keys": keys.count])
        }
        continue
      }
      do throws(PreferencesError) {
        domains[name] = try DomainSynchronization(name, keys: keys, configuration: new, cluster) {
          [publisher] in publisher.noteChange()
        }
        AgentLog.write(.info, "synchronizing", ["domain": name, "keys": keys.count])
      } catch {
        AgentLog.write(.error, "failure", ["domain": name, "error": error])
        var status = DomainStatus(lastError: "\(error)", lastErrorDate: .now)
        status.setKeys(keys)
        failedDomains[name] = status
      }
    }
    applyManaged(new)
    configuration = new
    publisher.publish(new, Array(domains.values), failedDomains: failedDomains, managed)
  }

  private func applyManaged(_ new: Configuration) {
    if managed != nil, new.managed == configuration.managed { return }
    managed?.cancel()
    managed = new.managed.map { selection in
      ManagedReplication(selection, StateFolder(new), cluster) { [publisher] in
        publisher.noteChange()
      }
    }
    if managed != nil { AgentLog.write(.info, "replicating", ["managed": true]) }
    let unmanaged = StateFolder(new).unmanagedFiles(new.managed)
    for (domain, path) in unmanaged.sorted(by: { $0.key < $1.key }) {
      AgentLog.write(.warning, "unmanaged", ["domain": domain, "path": path])
    }
  }

  // MARK: Synchronization on demand

  /// Synchronizes domains at once, and publishes the result when that is complete or has taken too
  /// long.
  ///
  /// - Parameter failures: The errors of domains whose synchronization could not be started.
  private static func synchronize(
    _ domains: [DomainSynchronization], _ publisher: StatusPublisher, failures: [String: String]
  ) {
    let start = ServiceManager.monotonicTime
    Task {
      let errors = await DomainSynchronization.complete(domains, within: synchronizationTime)
      publisher.noteSynchronization(
        AgentStatus.Synchronization(start: start, errors: errors.merging(failures) { $1 }))
    }
  }

  // MARK: The end

  private func stop(_ signal: Int32) {
    manager.notify("STOPPING=1")
    AgentLog.write(.info, "stopping", ["signal": signal == SIGINT ? "SIGINT" : "SIGTERM"])
    let domains = Array(domains.values)
    let connected = domains.filter(\.status.isConnected)
    _ = try? BlockingTask.run {
      await DomainSynchronization.complete(connected, within: Self.uploadTime)
    }
    let waiting = domains.map(\.status.pendingKeys).reduce(0, +)
    publisher.stop()
    for domain in domains { domain.cancel() }
    managed?.cancel()
    do throws(PreferencesError) {
      try PreferencesStore.flushAll(timeout: Self.savingTime)
    } catch {
      AgentLog.write(.error, "failure", ["error": error])
    }
    AgentLog.write(.info, "stopped", ["waiting": waiting])
  }
}

/// The signals that control the agent. The agent waits for them, because a signal handler may do
/// hardly anything.
enum AgentSignals {
  private static var awaited: sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGTERM, SIGINT, SIGHUP, SIGUSR1] { sigaddset(&signals, signal) }
    return signals
  }

  /// Blocks the signals in this thread and in all threads that it starts.
  static func block() {
    var signals = awaited
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    signal(SIGPIPE, SIG_IGN)
  }

  static func next() -> Int32 {
    var signals = awaited
    while true {
      let signal = sigwaitinfo(&signals, nil)
      if signal > 0 { return signal }
    }
  }
}

/// `run`
extension SyncTool {
  func runAgent() throws(CommandFailure) {
    AgentSignals.block()
    let lock = try CommandFailure.wrapping(stateFolder.path) { try stateFolder.acquire() }
    guard let lock else {
      let place =
        switch try? stateFolder.agent() {
        case .process(let process): ", process \(process),"
        case .elsewhere: ", on another machine or in another container,"
        case nil: ""
        }
      throw CommandFailure("\(stateFolder.path): another agent\(place) uses this state folder")
    }
    try CommandFailure.wrapping { try Agent(configuration).run() }
    withExtendedLifetime(lock) {}
  }
}
