internal import FoundationEssentials
internal import Preferences
internal import PropertyList

/// The entries of managed preferences in a remote store, by domain.
struct ManagedEntries: Sendable {
  /// The value of a key, nil for a removal, or why the entry is not a record.
  private typealias Value = Result<PlistValue?, SyncRecordError>

  /// The domains to keep; nil for all.
  private let selection: Set<ByteKey>?
  private let limits: ManagedPreferencesLimits
  private var values: [ByteKey: [ByteKey: Value]] = [:]
  /// The names of entries that do not belong to a domain.
  private var invalidNames: Set<ByteKey> = []

  init(of domains: [String]?, _ limits: ManagedPreferencesLimits) {
    selection = domains.map { Set($0.map { ByteKey($0) }) }
    self.limits = limits
  }

  /// The chosen domains that have entries.
  var domains: Set<ByteKey> { Set(values.keys) }

  /// Returns whether the domain was chosen.
  func includes(_ domain: ByteKey) -> Bool { selection?.contains(domain) ?? true }

  /// An error for an entry that does not belong to a domain; nil if there is none.
  var strayEntry: ManagedPreferencesError? {
    let first = invalidNames.min { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
    return first.map { .invalidDomain(name: ManagedKey($0.text)?.domain ?? $0.text) }
  }

  mutating func removeAll() {
    values = [:]
    invalidNames = []
  }

  /// Takes over an entry.
  ///
  /// - Returns: The domain that it belongs to; nil if the domain is not kept.
  /// - Throws: ``ManagedPreferencesError/tooManyDomains(limit:)``.
  mutating func put(_ entry: RemoteEntry) throws(ManagedPreferencesError) -> ByteKey? {
    guard let name = ManagedKey(entry.key) else { return ignore(entry.key) }
    let domain = ByteKey(name.domain)
    guard includes(domain) else { return nil }
    do throws(ManagedPreferencesError) {
      try ManagedKey.checkDomain(name.domain)
    } catch {
      return ignore(entry.key)
    }
    if values[domain] == nil, values.count == limits.domains {
      throw .tooManyDomains(limit: limits.domains)
    }
    let value: Value
    do throws(SyncRecordError) {
      value = .success(try SyncRecord(entry.data).value)
    } catch {
      value = .failure(error)
    }
    values[domain, default: [:]][ByteKey(name.key)] = value
    return domain
  }

  private mutating func ignore(_ name: String) -> ByteKey? {
    // A hostile store can contain any number of them.
    if selection == nil, invalidNames.count < limits.domains { invalidNames.insert(ByteKey(name)) }
    return nil
  }

  /// Removes an entry.
  ///
  /// - Returns: The domain that it belonged to; nil if that is not kept.
  mutating func remove(_ key: String) -> ByteKey? {
    invalidNames.remove(ByteKey(key))
    guard let name = ManagedKey(key) else { return nil }
    let domain = ByteKey(name.domain)
    guard values[domain]?.removeValue(forKey: ByteKey(name.key)) != nil else { return nil }
    if values[domain]?.isEmpty == true { values[domain] = nil }
    return domain
  }

  /// Encodes all values of a domain.
  ///
  /// - Returns: The contents of its file, and the number of keys.
  /// - Throws: The reason if the values may not be managed.
  func contents(
    of domain: ByteKey
  ) throws(ManagedPreferencesError) -> (data: Data, keyCount: Int) {
    let entries = values[domain] ?? [:]
    if entries.count > limits.keysOfDomain {
      throw .tooManyKeys(domain: domain.text, limit: limits.keysOfDomain)
    }
    var contents = PlistDictionary()
    for (key, value) in entries.sorted(by: {
      $0.key.text.utf8.lexicographicallyPrecedes($1.key.text.utf8)
    }) {
      switch value {
      case .success(let value): contents[key.text] = value
      case .failure(let error):
        throw .invalidRecord(domain: domain.text, key: key.text, error)
      }
    }
    return (
      try ManagedContents.encode(contents, domain: domain.text, limits), contents.count
    )
  }
}
