internal import FileStorage
internal import FoundationEssentials
public import Preferences

/// Keeps the managed files of this machine in sync with the managed keys of a remote store.
///
/// The remote store holds records under names of the form `DOMAIN/KEY`, as
/// ``ManagedPreferences/publish(_:domain:to:limits:)`` writes them. The replica only reads the
/// store: give it one with a separate prefix, where only the administrator can write. It writes a
/// file for each domain, which stores read before all other layers. It must run as root: a managed
/// file counts only if root owns it.
///
/// ```swift
/// var options = EtcdStore.Options(endpoints: ["https://etcd-1.example.org:2379"])
/// options.prefix = "managed/"
/// options.user = EtcdStore.User(name: "machine", passwordFile: "/etc/larder/machine-password")
/// let replica = ManagedPreferencesReplica(
///   remote: try EtcdStore(options), stateFileAt: "/var/lib/larder/managed.plist")
/// ```
///
/// A file is replaced as a whole, and holds either all valid keys of its domain at one revision or
/// its previous contents: while the remote store cannot be reached, or its entries are invalid or
/// exceed a limit, the files stay unchanged. A file that the replica has not written is not
/// changed.
///
/// The replica runs in one task from its creation until it is released or canceled. If several have
/// the same state file, in any number of processes, only the first runs; the others report
/// ``ManagedPreferencesError/stateFileLocked(path:)`` and retry until it has ended.
public final class ManagedPreferencesReplica: Sendable {
  private let events: ManagedEventQueue
  private let stateFile: PreferencesStore
  private let task: Task<Void, Never>

  /// Creates a replica, which starts at once.
  ///
  /// - Parameters:
  ///   - remote: The remote store. The replica only calls its `entries` and `changes`.
  ///   - domains: The names of the domains to manage; nil for all that the remote store has.
  ///   - locations: Where managed files are: the last folder of
  ///     `DomainLocations.managed` gets the files. It is created if it is missing.
  ///   - path: The path of the state file, a property list that lets the replica recognize its
  ///     files. It is created if it is missing.
  ///   - options: The limits for the remote store's contents, and the timing of retries.
  public convenience init(
    remote: any RemoteStore, domains: [String]? = nil, locations: DomainLocations = .standard,
    stateFileAt path: String, options: Options = Options()
  ) {
    self.init(
      remote: remote, domains: domains, locations: locations, stateFileAt: path, options: options,
      now: { Date.now })
  }

  /// - Parameter now: The clock for the dates in the status.
  init(
    remote: any RemoteStore, domains: [String]?, locations: DomainLocations,
    stateFileAt path: String, options: Options, now: @escaping @Sendable () -> Date
  ) {
    stateFile = PreferencesStore(fileAt: path)
    let clock = SyncClock(remote, own: now, tolerance: .zero)
    events = ManagedEventQueue(ManagedEvents(), hasEvents: true, status: StatusBoard(clock))
    let worker = ManagedWorker(
      remote: remote, folder: ManagedFolder(locations), stateFile: stateFile, events: events,
      entries: ManagedEntries(of: domains, options.limits),
      connection: RemoteConnection(events, RetryBackoff(options.retryDelays)),
      revisionInterval: options.revisionInterval)
    task = Task {
      var worker = worker
      await worker.run()
    }
  }

  deinit {
    cancel()
  }

  /// The status at this moment.
  public var status: Status { events.status.current }

  /// Returns a stream of the current status and of later ones; a slow reader gets the latest. It ends
  /// when the replica is canceled.
  ///
  /// Changes of the contact or the clock alone do not produce a new status.
  public func statusUpdates() -> AsyncStream<Status> { events.status.updates() }

  /// Compares all files with the remote store at once, without waiting for the next retry.
  public func synchronize() {
    events.requestAttempt()
  }

  /// Waits until all current keys of the remote store are in the files, however long the remote
  /// store cannot be reached.
  ///
  /// - Throws: `CancellationError` if the task or the replica is canceled; a
  ///   ``ManagedPreferencesError`` other than `remote` that keeps a file from matching the remote
  ///   store.
  public func waitForCompletion() async throws {
    try await events.waitForCompletion()
  }

  /// Adds a handler for future errors. An error of a domain is reported when it occurs, and not
  /// again while it lasts.
  ///
  /// It is called on the task of the replica, which continues when it returns.
  public func onFailure(_ handler: @escaping @Sendable (ManagedPreferencesError) -> Void) {
    events.onFailure(handler)
  }

  /// Moves an unreadable state file aside, and starts with a new one.
  ///
  /// Files that differ from the remote store are then treated as written by another program.
  ///
  /// - Returns: The path of the moved file; nil if the state file is readable.
  /// - Throws: An error if the file cannot be moved.
  @discardableResult
  public func recoverStateFile() throws -> String? {
    defer { events.requestAttempt() }
    return try stateFile.recover()
  }

  /// Stops the replica permanently. The files stay. Further calls have no effect.
  public func cancel() {
    events.cancel()
    task.cancel()
  }
}

extension ManagedPreferencesReplica {
  /// Limits, and the timing of retries.
  public struct Options: Sendable, Hashable {
    /// The limits for the remote store's contents.
    public var limits = ManagedPreferencesLimits()
    /// The longest delay before a retry after the first failure, and the longest delay of all. It
    /// doubles with each failure; the actual delay is a random time between half of it and all of
    /// it.
    public var retryDelays = RetryBackoff.usual
    /// The minimum time between saves of the remote store's revision while no file changes. A
    /// remote store that was set up again is recognized by this revision.
    package var revisionInterval = Duration.seconds(600)

    /// Creates the default options.
    public init() {}
  }
}
