public import PreferencesSync
internal import Threading

extension Defaults {
  /// Keeping keys the same on many machines.
  ///
  /// The name is that under which users of Apple's platforms know it; here the values meet in whatever
  /// remote store the program connects to. Until it does, keys can be added, and nothing more happens.
  ///
  /// ```swift
  /// extension Defaults.Keys {
  ///   static let theme = Key<String>("theme", default: "light", iCloud: true)
  /// }
  ///
  /// Defaults.iCloud.connect(to: remote)
  /// await Defaults.iCloud.waitForSyncCompletion()
  /// ```
  ///
  /// Of two changes the later one wins, on all machines. Values that are nothing but defaults are not
  /// uploaded. What could not be uploaded is remembered, also when the program ends.
  public enum iCloud {
    private static let synchronizers = Lock(Synchronizers())

    /// Begins to synchronize all keys that are added by way of a remote store, in the place of another one.
    ///
    /// - Parameters:
    ///   - remote: Where the values of all machines meet.
    ///   - folder: The folder in which what is known of this remote store and not uploaded yet is
    ///     remembered, for each suite in a file of its own; nil for `larder/sync` in the folder in which
    ///     programs keep their state, `$XDG_STATE_HOME` or `~/.local/state`. Of several programs that use
    ///     it for keys of the same suite, one at a time synchronizes these.
    ///   - options: How often the remote store is troubled.
    public static func connect(
      to remote: any RemoteStore, rememberingIn folder: String? = nil,
      options: PreferencesSynchronizer.Options = PreferencesSynchronizer.Options()
    ) {
      connect(
        Synchronizers.Connection(
          remote: remote, folder: folder ?? SyncFolder.standard, options: options))
    }

    /// Ends synchronizing; the keys stay added.
    public static func disconnect() {
      connect(nil)
    }

    /// Begins to synchronize keys.
    public static func add(_ keys: Defaults.Keys...) {
      add(keys)
    }

    /// Begins to synchronize keys.
    public static func add(_ keys: [Defaults.Keys]) {
      change { $0.formUnion(keys) }
    }

    /// Ends synchronizing keys: what is changed from now on stays on this machine, and what others change
    /// does not come here.
    public static func remove(_ keys: Defaults.Keys...) {
      remove(keys)
    }

    /// Ends synchronizing keys.
    public static func remove(_ keys: [Defaults.Keys]) {
      change { $0.subtract(keys) }
    }

    /// Ends synchronizing all keys.
    public static func removeAll() {
      change { $0 = [] }
    }

    /// The keys that are synchronized.
    public static var keys: Set<Defaults.Keys> { synchronizers.withLock { $0.keys } }

    /// Looks for changes and uploads what is waiting now, and not only at the next attempt.
    public static func synchronize() {
      for synchronizer in synchronizers.withLock({ $0.running }) { synchronizer.synchronize() }
    }

    /// Waits until what is stored at this moment is uploaded, and what the remote store has is stored. That
    /// may take until the remote store can be reached, or the task is canceled.
    ///
    /// - Returns: Whether all keys could be synchronized; ``onFailure(_:)`` tells why not.
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

    /// Calls the closure with all that goes wrong from now on.
    public static func onFailure(_ handler: @escaping @Sendable (SynchronizationError) -> Void) {
      synchronizers.withLock { $0.handlers.append(handler) }
    }

    private static func report(_ error: SynchronizationError) {
      for handler in synchronizers.withLock({ $0.handlers }) { handler(error) }
    }

    /// Changes the keys, and has them synchronized.
    private static func change(_ body: (inout Set<Defaults.Keys>) -> Void) {
      synchronizers.withLock { synchronizers in
        body(&synchronizers.keys)
        synchronizers.tellKeys()
      }
      attendAll()
    }

    private static func connect(_ connection: Synchronizers.Connection?) {
      for old in synchronizers.withLock({ $0.connect(connection) }) { old.cancel() }
      attendAll()
    }

    /// Has somebody synchronize each store that has keys.
    private static func attendAll() {
      while let (store, connection) = synchronizers.withLock({ $0.unattended }) {
        // With no lock held: it looks at the store, whose observers may have to hear of something.
        let new = PreferencesSynchronizer(
          store: store, remote: connection.remote,
          stateFileAt: SyncFolder.path(of: store.domain, in: connection.folder),
          options: connection.options)
        new.onFailure { error in report(error) }
        let isTaken = synchronizers.withLock { synchronizers in
          synchronizers.take(new, for: store, number: connection.number)
        }
        if !isTaken { new.cancel() }
      }
    }
  }
}
