public import FoundationEssentials
internal import Preferences
public import PreferencesSync
internal import Threading

extension Defaults {
  /// Synchronization of keys with any remote store; nothing is sent to Apple's iCloud, whose name the
  /// upstream library uses.
  ///
  /// The program connects to a remote store. Keys can be added before that, and are synchronized from
  /// then on.
  ///
  /// ```swift
  /// extension Defaults.Keys {
  ///   static let theme = Key<String>("theme", default: "light", iCloud: true)
  /// }
  ///
  /// let cluster = EtcdStore.Options(endpoints: ["https://etcd.example.org:2379"])
  /// Defaults.iCloud.connect(toPartitionsOf: try EtcdStore(cluster))
  /// await Defaults.iCloud.waitForSyncCompletion()
  /// ```
  ///
  /// Of two changes of a key, the later one wins on all machines. Defaults are not uploaded.
  /// Pending uploads are kept in state files, even after the program ends.
  ///
  /// A key of the standard store is synchronized in the store that was standard when it was
  /// created, even within `PreferencesStore.withStandard(_:operation:)`.
  public enum iCloud {
    private static let synchronizers = Lock(Synchronizers())
    private static let tracker = Tracker()
    private static let statusStreams = StatusStreams { currentStatus }

    /// Starts to synchronize all added keys through parts of a remote store, which replaces an
    /// earlier one. Each domain has one part for its values and one for its registry, with which
    /// the records of removals can be collected.
    ///
    /// - Parameters:
    ///   - remote: The remote store that all machines share.
    ///   - folder: The folder of the state files, one for each suite, which hold the known records
    ///     of this remote store and the pending uploads; nil for `larder/sync` in `$XDG_STATE_HOME`
    ///     or `~/.local/state`. Of several processes with the same folder and keys of the same
    ///     suite, one at a time synchronizes these.
    ///   - options: The timing of uploads and retries.
    public static func connect(
      toPartitionsOf remote: any PartitionedRemoteStore, stateFilesIn folder: String? = nil,
      options: PreferencesSynchronizer.Options = PreferencesSynchronizer.Options()
    ) {
      connect(folder, options) { domain in
        (remote.values(ofDomain: domain), remote.registry(ofDomain: domain))
      }
    }

    /// Starts to synchronize all added keys through a remote store, which replaces an earlier one. All
    /// suites share it, so that keys of the same name are the same key.
    ///
    /// The parameters have the same meaning as for
    /// ``connect(toPartitionsOf:stateFilesIn:options:)``.
    public static func connect(
      to remote: any RemoteStore, stateFilesIn folder: String? = nil,
      options: PreferencesSynchronizer.Options = PreferencesSynchronizer.Options()
    ) {
      connect(folder, options) { _ in (remote, nil) }
    }

    private static func connect(
      _ folder: String?, _ options: PreferencesSynchronizer.Options,
      _ stores:
        @escaping @Sendable (String) -> (values: any RemoteStore, registry: (any RemoteStore)?)
    ) {
      connect(
        Synchronizers.Connection(
          stores: stores, stateFolder: folder ?? UserFolders.standard.state + "/larder/sync",
          options: options))
    }

    /// Stops synchronizing; the keys stay added.
    public static func disconnect() {
      connect(nil)
    }

    /// Starts to synchronize keys.
    public static func add(_ keys: Defaults.Keys...) {
      add(keys)
    }

    /// Starts to synchronize keys.
    public static func add(_ keys: [Defaults.Keys]) {
      updateKeys { $0.formUnion(keys) }
    }

    /// Stops synchronizing keys: later changes are neither uploaded nor downloaded.
    public static func remove(_ keys: Defaults.Keys...) {
      remove(keys)
    }

    /// Stops synchronizing keys: later changes are neither uploaded nor downloaded.
    public static func remove(_ keys: [Defaults.Keys]) {
      updateKeys { $0.subtract(keys) }
    }

    /// Stops synchronizing all keys.
    public static func removeAll() {
      updateKeys { $0 = [] }
    }

    /// The synchronized keys.
    public static var keys: Set<Defaults.Keys> { synchronizers.withLock { $0.keys } }

    /// Synchronizes at once, without waiting for the next upload or retry.
    public static func synchronize() {
      for synchronizer in synchronizers.withLock({ $0.running }) { synchronizer.synchronize() }
    }

    /// Waits until all current values are uploaded and all current remote values are stored,
    /// however long the remote store cannot be reached, or until the task is canceled.
    ///
    /// - Returns: Whether all keys were synchronized; ``onFailure(_:)`` reports the reasons if not.
    @discardableResult
    public static func waitForSyncCompletion() async -> Bool {
      var isComplete = true
      for synchronizer in synchronizers.withLock({ $0.running }) {
        do {
          try await synchronizer.waitForCompletion()
        } catch {
          isComplete = false
        }
      }
      return isComplete
    }

    /// The status at this moment.
    ///
    /// Code that reads it within `withObservationTracking` is notified of changes.
    public static var status: Status {
      tracker.access()
      return currentStatus
    }

    /// Returns the current status, and then each new one. Slow consumers receive only the latest.
    public static func statusUpdates() -> AsyncStream<Status> { statusStreams.updates() }

    /// Whether values are still to be uploaded, or a domain with synchronized keys was never in contact
    /// with the remote store. False without a remote store.
    public static var isSyncing: Bool { status.isSyncing }

    private static var currentStatus: Status {
      let running = synchronizers.withLock { $0.named }.filter { !$0.synchronizer.keys.isEmpty }
      return Status(
        domains: Dictionary(running.map { ($0.domain, $0.synchronizer.status) }) { first, _ in first
        })
    }

    /// Whether each step of the synchronization is printed on standard error, and each failure.
    ///
    /// The names of keys are printed, but no values, which may be secret.
    public static var isDebug: Bool {
      get { synchronizers.withLock { $0.isDebug } }
      set { synchronizers.withLock { $0.isDebug = newValue } }
    }

    private static func printForDebugging(_ event: some CustomStringConvertible) {
      if isDebug { StandardError.write("Defaults.iCloud: \(event)\n") }
    }

    /// Adds a handler for future errors.
    public static func onFailure(_ handler: @escaping @Sendable (SynchronizationError) -> Void) {
      synchronizers.withLock { $0.failureHandlers.append(handler) }
    }

    private static func report(_ error: SynchronizationError) {
      printForDebugging(error)
      for handler in synchronizers.withLock({ $0.failureHandlers }) { handler(error) }
    }

    private static func updateKeys(_ body: (inout Set<Defaults.Keys>) -> Void) {
      let old = synchronizers.withLock { synchronizers in
        let old = synchronizers.keys
        body(&synchronizers.keys)
        synchronizers.updateRunning()
        return old
      }
      // Released outside the lock, with the objects that their defaults refer to.
      withExtendedLifetime(old) {}
      startMissing()
    }

    private static func connect(_ connection: Synchronizers.Connection?) {
      let old = synchronizers.withLock({ $0.connect(connection) })
      for synchronizer in old.synchronizers { synchronizer.cancel() }
      startMissing()
      sendStatus()
    }

    private static func sendStatus() {
      tracker.notify()
      statusStreams.send()
    }

    /// Delivers the status whenever a synchronizer's status changes, until the synchronizer is
    /// canceled.
    private static func deliverStatus(of synchronizer: PreferencesSynchronizer) {
      let updates = synchronizer.statusUpdates()
      Task { for await _ in updates { sendStatus() } }
    }

    /// Starts a synchronizer for each store that has keys but none yet.
    private static func startMissing() {
      while let (store, connection) = synchronizers.withLock({ $0.firstMissing }) {
        // Outside the lock: creating a synchronizer loads the store, which may notify observers.
        let (values, registry) = connection.stores(store.domain)
        let new = PreferencesSynchronizer(
          store: store, remote: values, registry: registry,
          stateFileAt: connection.stateFolder + "/"
            + PreferencesSynchronizer.stateFileName(forDomain: store.domain),
          options: connection.options)
        new.onFailure { error in report(error) }
        new.onStep { step in printForDebugging(step) }
        let isAdded = synchronizers.withLock { synchronizers in
          synchronizers.add(new, for: store, connection: connection.number)
        }
        if isAdded { deliverStatus(of: new) } else { new.cancel() }
      }
    }
  }
}

extension Defaults.iCloud {
  /// The state of synchronization of all domains with synchronized keys.
  public struct Status: Sendable, Equatable {
    /// The status of each domain with synchronized keys, by its name; empty while there is no remote
    /// store.
    public var domains: [String: PreferencesSynchronizer.Status]

    /// Creates a status from the statuses of the domains.
    public init(domains: [String: PreferencesSynchronizer.Status]) {
      self.domains = domains
    }

    /// Whether there are domains and all of them are connected.
    public var isConnected: Bool { !domains.isEmpty && domains.values.allSatisfy(\.isConnected) }

    /// Whether values are still to be uploaded, or a domain was never in contact with the remote store.
    public var isSyncing: Bool {
      domains.values.contains { $0.pendingKeys > 0 || $0.lastContact == nil }
    }

    /// The number of keys whose values must still be uploaded.
    public var pendingKeys: Int { domains.values.reduce(0) { $0 + $1.pendingKeys } }

    /// The number of keys whose synchronization an error has stopped.
    public var stoppedKeys: Int { domains.values.reduce(0) { $0 + $1.stoppedKeys } }

    /// The last error that was reported. It may have passed since.
    public var lastError: SynchronizationError? {
      domains.values.filter { $0.lastErrorDate != nil }
        .max { $0.lastErrorDate! < $1.lastErrorDate! }?.lastError
    }

    /// When the remote store answered last, by the clock of this machine; nil if it never did.
    public var lastContact: Date? { domains.values.compactMap(\.lastContact).max() }
  }
}
