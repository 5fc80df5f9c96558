internal import Preferences
internal import PreferencesSync

/// The keys that are synchronized, and who does it: one synchronizer for each domain that has such keys.
struct Synchronizers {
  /// How the remote store is to be used.
  struct Connection: Sendable {
    var remote: any RemoteStore
    var folder: String
    var options: PreferencesSynchronizer.Options
    /// Tells it from others.
    var number = 0
  }

  /// The keys.
  var keys: Set<Defaults.Keys> = []
  /// Who hears of what goes wrong.
  var handlers: [@Sendable (SynchronizationError) -> Void] = []

  private var connection: Connection?
  private var connections = 0
  private var byDomain: [ObjectIdentifier: PreferencesSynchronizer] = [:]

  /// Those at work.
  var running: [PreferencesSynchronizer] { Array(byDomain.values) }

  /// Puts a connection in the place of the present one.
  ///
  /// - Returns: Whose work ends with that.
  mutating func connect(_ new: Connection?) -> [PreferencesSynchronizer] {
    connections += 1
    connection = new
    connection?.number = connections
    defer { byDomain = [:] }
    return running
  }

  /// Tells all who are at work which keys there are.
  func tellKeys() {
    let keys = Dictionary(grouping: keys) { $0.suite.ownDomainIdentity }
    for (domain, synchronizer) in byDomain {
      let wanted = (keys[domain] ?? []).map(\.name)
      let known = synchronizer.keys
      synchronizer.remove(known.filter { !wanted.contains($0) })
      synchronizer.add(wanted.filter { !known.contains($0) }.sorted())
    }
  }

  /// A store that has keys but nobody who synchronizes them, and the connection for that.
  var unattended: (store: PreferencesStore, connection: Connection)? {
    guard let connection,
      let key = keys.first(where: { byDomain[$0.suite.ownDomainIdentity] == nil })
    else { return nil }
    return (key.suite, connection)
  }

  /// Takes on somebody who synchronizes a store.
  ///
  /// - Returns: Whether nobody was faster and the connection is still the same.
  mutating func take(
    _ synchronizer: PreferencesSynchronizer, for store: PreferencesStore, number: Int
  ) -> Bool {
    guard connection?.number == number, byDomain[store.ownDomainIdentity] == nil else {
      return false
    }
    byDomain[store.ownDomainIdentity] = synchronizer
    tellKeys()
    return true
  }
}
