internal import CommandLineInterface
internal import Preferences
internal import PropertyList

/// The commands that change domains.
extension DefaultsTool {
  /// `write` with a key
  func write(
    _ key: String, of domain: DomainArgument, change: ValueChange
  ) throws(CommandFailure) {
    try update(domain) { values throws(CommandFailure) in
      try change.apply(to: &values, key: key)
    }
  }

  /// `write` with a dictionary
  func replace(_ domain: DomainArgument, with text: String) throws(CommandFailure) {
    guard case .dictionary(let new) = try ValueArguments.untyped(text) else {
      throw CommandFailure("Rep argument is not a dictionary", "Defaults have not been changed.")
    }
    try update(domain) { values throws(CommandFailure) in values = new }
  }

  /// `rename`
  func rename(
    _ key: String, to newKey: String, of domain: DomainArgument
  ) throws(CommandFailure) {
    let missing = CommandFailure(
      "Key \(key) does not exist in domain \(domain.name); leaving defaults unchanged")
    // A domain that is not there gets no lock's file, either.
    guard try store(of: domain).containsValue(forKey: key) else { throw missing }
    try update(domain) { values throws(CommandFailure) in
      guard let value = values.removeValue(forKey: key) else { throw missing }
      values[newKey] = value
    }
  }

  /// `delete`
  func delete(_ key: String?, of domain: DomainArgument) throws(CommandFailure) {
    let store = try store(of: domain)
    guard Self.holds(store, key) else { throw Self.notFound(domain) }
    try delete(key, from: store, of: domain)
  }

  /// `delete-all`
  func deleteAll(_ key: String?, of domain: DomainArgument) throws(CommandFailure) {
    guard domain.path == nil, domains.host == nil else { return try delete(key, of: domain) }
    let stores: [PreferencesStore]
    do throws(PreferencesError) {
      stores = try domains.allStores(domain.name)
    } catch {
      throw CommandFailure("\(error)")
    }
    if let problem = stores.flatMap(\.problems).first { throw CommandFailure("\(problem)") }
    let holders = stores.filter { Self.holds($0, key) }
    guard !holders.isEmpty else { throw Self.notFound(domain) }
    for store in holders { try delete(key, from: store, of: domain) }
  }

  private static func holds(_ store: PreferencesStore, _ key: String?) -> Bool {
    key.map(store.containsValue(forKey:)) ?? !store.plistRepresentation.isEmpty
  }

  private func delete(
    _ key: String?, from store: PreferencesStore, of domain: DomainArgument
  ) throws(CommandFailure) {
    try update(store, of: domain) { values throws(CommandFailure) in
      if let key {
        values.removeValue(forKey: key)
      } else {
        values = PlistDictionary()
      }
    }
  }

  private static func notFound(_ domain: DomainArgument) -> CommandFailure {
    CommandFailure("Domain (\(domain.name)) not found.", "Defaults have not been changed.")
  }
}
