internal import FileStorage
package import FoundationEssentials
public import Preferences

/// Keeps keys of a store in sync across machines through a remote store.
///
/// Only values in the store's own domain are synchronized, not registered defaults or other layers.
/// Of two changes of a key, the later one wins on all machines; a removal is a change. Pending
/// uploads are kept in a state file until the remote store can be reached.
///
/// ```swift
/// let synchronizer = PreferencesSynchronizer(
///   store: .standard, remote: remote, stateFileAt: "/home/me/.local/state/player/sync.plist")
/// synchronizer.onFailure { print($0) }
/// synchronizer.add(["theme", "volume"])
/// try await synchronizer.waitForCompletion()
/// ```
///
/// Synchronization runs in one task until the synchronizer is released or canceled. Of several
/// synchronizers with the same state file, in any number of processes, only the first that has keys
/// runs; the others report ``SynchronizationError/stateFileLocked(path:)`` and retry until it has
/// ended.
public final class PreferencesSynchronizer: Sendable {
  private let events: SyncEventQueue
  private let stateFile: PreferencesStore
  private let observation: PreferencesObservation
  private let task: Task<Void, Never>

  /// Creates a synchronizer, which starts once keys are added.
  ///
  /// - Parameters:
  ///   - store: The store whose own domain is synchronized.
  ///   - remote: The remote store that all machines share.
  ///   - registry: A separate remote store, shared by the same machines, where they record what
  ///     they have seen, so that the records of removals can be collected; nil to keep them
  ///     forever. It belongs to the remote store: another one needs another registry.
  ///   - path: The path of the state file, a property list with the known records and the pending
  ///     uploads. Every pair of a store and a remote store needs its own file. It is created if it
  ///     is missing.
  ///   - options: The timing of uploads and retries.
  public convenience init(
    store: PreferencesStore, remote: any RemoteStore, registry: (any RemoteStore)? = nil,
    stateFileAt path: String, options: Options = Options()
  ) {
    self.init(
      store: store, remote: remote, registry: registry, stateFileAt: path, options: options,
      now: { Date.now }, isSynchronized: SyncClock.isSystemClockSynchronized)
  }

  /// - Parameters:
  ///   - now: The clock that dates changes.
  ///   - isSynchronized: Returns whether the system keeps that clock right.
  package init(
    store: PreferencesStore, remote: any RemoteStore, registry: (any RemoteStore)? = nil,
    stateFileAt path: String, options: Options, now: @escaping @Sendable () -> Date,
    isSynchronized: @escaping @Sendable () -> Bool = { false }
  ) {
    let clock = SyncClock(
      remote, own: now, isSynchronized: isSynchronized, tolerance: options.clockTolerance)
    events = SyncEventQueue(SyncEvents(), hasEvents: false, status: StatusBoard(clock))
    stateFile = PreferencesStore(fileAt: path)
    observation = store.observeOwnDomain { [events] key in
      events.recordLocalChange(of: key, at: { clock.now })
    }
    let stampClock = StampClock(now)
    store.setStampClock(stampClock)
    let worker = SyncWorker(
      store: store, remote: remote,
      collector: registry.map {
        RemovalCollector(remote: remote, registry: Registry($0), options: options)
      }, stateFile: stateFile, events: events,
      uploadInterval: options.uploadInterval,
      connection: RemoteConnection(events, RetryBackoff(options.retryDelays)),
      uploadBackoff: RetryBackoff(options.retryDelays), clock: clock, stampClock: stampClock,
      tracker: StableHash.hash(stateFile.domain).hexadecimal, mayHaveLateUpload: registry != nil)
    task = Task {
      var worker = worker
      await worker.run()
    }
  }

  deinit {
    cancel()
  }

  /// The synchronized keys, in the order they were added.
  public var keys: [String] { events.keys }

  /// Starts to synchronize keys.
  ///
  /// A remote value replaces the local value of a key, unless the local value is known from an
  /// earlier run to be later. If there is no remote value, the local value is uploaded.
  ///
  /// The version of the domain, `PreferencesMigration.versionKey`, is not synchronized.
  public func add(_ keys: [String]) {
    events.add(keys.filter { $0 != PreferencesMigration.versionKey })
  }

  /// Stops synchronizing keys, and discards their state and pending uploads.
  ///
  /// After this call no further upload or write to the store begins for these keys. The result of
  /// an upload or write in progress is ignored.
  public func remove(_ keys: [String]) {
    events.remove(keys)
  }

  /// Stops synchronizing all keys.
  public func removeAll() {
    events.remove(nil)
  }

  /// Synchronizes at once, without waiting for the next upload or retry.
  public func synchronize() {
    events.requestAttempt()
  }

  /// Waits until all current values of the store are uploaded, and all current values of the remote
  /// store are in the store, however long the remote store cannot be reached.
  ///
  /// - Throws: `CancellationError` if the task or the synchronizer is canceled; a
  ///   ``SynchronizationError`` other than `remote` that stops the synchronization of some or all
  ///   keys.
  public func waitForCompletion() async throws {
    try await events.waitForCompletion()
  }

  /// Whether the last attempt to reach the remote store succeeded and the connection has not been
  /// lost since.
  public var isConnected: Bool { status.isConnected }

  /// The status at this moment.
  public var status: Status { events.status.current }

  /// Returns the current status, and then each new one, until the synchronizer is canceled. Slow
  /// consumers receive only the latest.
  ///
  /// Changes of the contact or the clock alone do not produce a new status.
  public func statusUpdates() -> AsyncStream<Status> { events.status.updates() }

  /// Adds a handler for future errors.
  ///
  /// It is called on the task of the synchronizer, which continues when it returns.
  public func onFailure(_ handler: @escaping @Sendable (SynchronizationError) -> Void) {
    events.onFailure(handler)
  }

  /// Adds a handler for the synchronizer's future steps.
  package func onStep(_ handler: @escaping @Sendable (SyncStep) -> Void) {
    events.onStep(handler)
  }

  /// Moves an unreadable state file aside, and starts with a new one.
  ///
  /// State that was only in that file is lost: local values are then treated as older than remote
  /// values.
  ///
  /// - Returns: The path of the moved file; nil if the state file is readable.
  /// - Throws: An error if the file cannot be moved.
  @discardableResult
  public func recoverStateFile() throws -> String? {
    defer { events.requestAttempt() }
    return try stateFile.recover()
  }

  /// Stops the synchronizer permanently. Pending uploads stay in the state file. Further calls have
  /// no effect.
  public func cancel() {
    observation.cancel()
    events.cancel()
    task.cancel()
  }
}

extension PreferencesSynchronizer {
  /// Returns the name of a state file for the domain of a store. The domain may be a path.
  package static func stateFileName(forDomain domain: String) -> String {
    FileName.make("", domain.replacing("%", with: "%25").replacing("/", with: "%2F"), ".plist")
  }
}
