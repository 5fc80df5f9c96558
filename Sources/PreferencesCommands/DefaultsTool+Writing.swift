internal import CommandLineInterface
internal import Preferences
internal import PropertyList

/// The verbs that change domains.
extension DefaultsTool {
  /// `write` with a key
  func write(
    _ key: String, of domain: DomainArgument, change: WrittenValue
  ) throws(CommandFailure) {
    if ValueArguments.typeWords.contains(key) {
      session.warn("the key is \(key), which is also the name of a type; is the key missing?")
    }
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
    // An update would create a lock file even for a domain that does not exist.
    guard try store(of: domain).containsValue(forKey: key) else { throw missing }
    try update(domain) { values throws(CommandFailure) in
      guard let value = values.removeValue(forKey: key) else { throw missing }
      values[newKey] = value
    }
  }

  /// `delete`
  func delete(_ key: String?, of domain: DomainArgument) throws(CommandFailure) {
    let store = try store(of: domain)
    guard Self.contains(store, key) else { throw Self.missing(domain, key) }
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
    if let problem = stores.flatMap(\.problems).first { throw CommandFailure(problem) }
    let containing = stores.filter { Self.contains($0, key) }
    guard !containing.isEmpty else { throw Self.missing(domain, key) }
    for store in containing { try delete(key, from: store, of: domain) }
  }

  /// Whether a store contains a key, or any value if the key is nil.
  private static func contains(_ store: PreferencesStore, _ key: String?) -> Bool {
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

  private static func missing(_ domain: DomainArgument, _ key: String?) -> CommandFailure {
    let lines =
      key == nil
      ? ["Domain (\(domain.name)) not found."] : CommandFailure.missing(domain, key).lines
    return CommandFailure(lines + ["Defaults have not been changed."])
  }
}
