internal import Preferences
internal import PreferencesSync
internal import PropertyList

/// The synchronized keys, and the synchronizers of their domains: one for each domain with such
/// keys.
struct Synchronizers {
  /// The remote stores and how to use them.
  struct Connection: Sendable {
    /// Returns the remote store of a domain and its registry, if there is one.
    var stores:
      @Sendable (_ domain: String) -> (values: any RemoteStore, registry: (any RemoteStore)?)
    var stateFolder: String
    var options: PreferencesSynchronizer.Options
    /// The number of the `connect` call, which identifies the connection.
    var number = 0
  }

  var keys: Set<Defaults.Keys> = []
  var failureHandlers: [@Sendable (SynchronizationError) -> Void] = []
  var isDebug = false

  private var connection: Connection?
  private var connectionCount = 0
  private var byDomain:
    [ObjectIdentifier: (domain: String, synchronizer: PreferencesSynchronizer)] =
      [:]

  var running: [PreferencesSynchronizer] { byDomain.values.map(\.synchronizer) }

  /// The running synchronizers with the names of their domains.
  var named: [(domain: String, synchronizer: PreferencesSynchronizer)] { Array(byDomain.values) }

  /// Replaces the current connection.
  ///
  /// - Returns: The old connection, to be released outside the lock, and its synchronizers, which
  ///   the caller must cancel.
  mutating func connect(
    _ new: Connection?
  ) -> (connection: Connection?, synchronizers: [PreferencesSynchronizer]) {
    connectionCount += 1
    let old = connection
    connection = new
    connection?.number = connectionCount
    defer { byDomain = [:] }
    return (old, running)
  }

  /// Adds keys to the running synchronizers and removes keys from them, so that they match `keys`.
  func updateRunning() {
    let keys = Dictionary(grouping: keys) { $0.reference.known.ownDomainIdentity }
    for (domain, (_, synchronizer)) in byDomain {
      let wanted = Set((keys[domain] ?? []).map { ByteKey($0.name) })
      let known = Set(synchronizer.keys.map { ByteKey($0) })
      synchronizer.remove(known.subtracting(wanted).map(\.text))
      synchronizer.add(wanted.subtracting(known).map(\.text).sorted())
    }
  }

  /// A store with keys but without a synchronizer, and the connection for it; nil if there is none.
  var firstMissing: (store: PreferencesStore, connection: Connection)? {
    guard let connection,
      let key = keys.first(where: { byDomain[$0.reference.known.ownDomainIdentity] == nil })
    else { return nil }
    return (key.reference.known, connection)
  }

  /// Adds the synchronizer of a store, unless another thread has added one or the connection has
  /// been replaced.
  ///
  /// - Returns: Whether it was added.
  mutating func add(
    _ synchronizer: PreferencesSynchronizer, for store: PreferencesStore, connection number: Int
  ) -> Bool {
    guard connection?.number == number, byDomain[store.ownDomainIdentity] == nil else {
      return false
    }
    byDomain[store.ownDomainIdentity] = (store.domain, synchronizer)
    updateRunning()
    return true
  }
}
