internal import FoundationEssentials
public import Preferences

/// Keeps keys of a store the same on many machines, by way of a remote store.
///
/// What counts is the value in the store's own domain: neither registered defaults nor other layers are
/// uploaded. Of two changes the later one wins, on all machines; a removal is a change as well. What could
/// not be uploaded is remembered in a file, and goes up once the remote store can be reached.
///
/// ```swift
/// let synchronizer = PreferencesSynchronizer(
///   store: .standard, remote: remote, stateFileAt: "/home/me/.local/state/player/sync.plist")
/// synchronizer.onFailure { print($0) }
/// synchronizer.add(["theme", "volume"])
/// try await synchronizer.waitForCompletion()
/// ```
///
/// One task does all, until this object is released or canceled. Of several synchronizers with the same
/// file, in whatever processes, the first that gets keys works; the others tell so, and try again until it
/// has ended.
public final class PreferencesSynchronizer: Sendable {
  private let mailbox = SyncMailbox()
  private let queue: PreferencesStore
  private let observation: PreferencesObservation
  private let task: Task<Void, Never>

  /// Begins to synchronize keys of a store, once such are added.
  ///
  /// - Parameters:
  ///   - store: The store, whose own domain holds what is synchronized.
  ///   - remote: Where the values of all machines meet.
  ///   - path: The path of the file that remembers what is known and what is to be uploaded, a property
  ///     list of this store and this remote store alone. It need not exist.
  ///   - options: How often the remote store is troubled.
  public convenience init(
    store: PreferencesStore, remote: any RemoteStore, stateFileAt path: String,
    options: Options = Options()
  ) {
    self.init(store: store, remote: remote, stateFileAt: path, options: options, now: { Date.now })
  }

  /// - Parameter now: The clock by which changes are dated.
  init(
    store: PreferencesStore, remote: any RemoteStore, stateFileAt path: String, options: Options,
    now: @escaping @Sendable () -> Date
  ) {
    queue = PreferencesStore(fileAt: path)
    observation = store.observeOwnDomain { [mailbox] key in mailbox.touch(key, at: now) }
    let worker = SyncWorker(
      store: store, remote: remote, queue: queue, mailbox: mailbox,
      uploadInterval: options.uploadInterval, retryDelay: RetryDelay(options.retryDelays),
      now: now)
    task = Task {
      var worker = worker
      await worker.run()
    }
  }

  deinit {
    cancel()
  }

  /// The keys that are synchronized, in the order in which they were added.
  public var keys: [String] { mailbox.keys }

  /// Begins to synchronize keys.
  ///
  /// What the remote store has of a key takes the place of a value here, unless it is known from earlier to
  /// be older. Where it has nothing, the value here is uploaded.
  public func add(_ keys: [String]) {
    mailbox.add(keys)
  }

  /// Ends synchronizing keys, and forgets what was known of them and not uploaded yet.
  ///
  /// When this has returned, nothing more is uploaded and no value put into the store but what is under way
  /// at this moment, and the outcome of that makes no difference.
  public func remove(_ keys: [String]) {
    mailbox.remove(keys)
  }

  /// Ends synchronizing all keys.
  public func removeAll() {
    mailbox.remove(nil)
  }

  /// Looks for changes and uploads what is waiting now, and not only at the next attempt.
  public func synchronize() {
    mailbox.prompt()
  }

  /// Waits until what the store has at this moment is uploaded, and what the remote store has is in the
  /// store. That may take until the remote store can be reached.
  ///
  /// - Throws: `CancellationError` when the task is canceled, or the synchronizer; otherwise a
  ///   ``SynchronizationError`` other than of the remote store, which keeps some key or all from going on.
  public func waitForCompletion() async throws {
    try await mailbox.wait()
  }

  /// Whether the remote store could be reached the last time, and has not been lost since.
  public var isConnected: Bool { mailbox.isConnected }

  /// Calls the closure with all that goes wrong from now on, on the task that synchronizes, which goes on
  /// when it returns.
  public func onFailure(_ handler: @escaping @Sendable (SynchronizationError) -> Void) {
    mailbox.onFailure(handler)
  }

  /// Puts the file of what is remembered aside if it cannot be read, and begins a new one.
  ///
  /// What was known only by that file is lost: the values here count as older than those of the remote
  /// store then.
  ///
  /// - Returns: The path under which the old file is kept; nil where there was nothing to recover from.
  @discardableResult
  public func recoverStateFile() throws -> String? {
    defer { mailbox.prompt() }
    return try queue.recover()
  }

  /// Ends everything; what is waiting stays remembered. Canceling again does nothing.
  public func cancel() {
    observation.cancel()
    mailbox.cancel()
    task.cancel()
  }
}
