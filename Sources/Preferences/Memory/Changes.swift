internal import PropertyList

/// Changes of a domain that are committed together.
struct Changes: ~Copyable {
  /// Whether all values were replaced: keys without an entry are removed, also those that other
  /// processes add.
  var replacesAll = false
  /// The last change of each key; a removal has no value.
  var operations = KeyTable()

  init() {}

  /// Copies changes.
  init(_ other: borrowing Changes) {
    replacesAll = other.replacesAll
    other.operations.forEach { key, value in set([(key, value)]) }
  }

  var isEmpty: Bool { !replacesAll && operations.count == 0 }

  /// The keys that have entries.
  var keys: [String] {
    var keys: [String] = []
    operations.forEach { key, _ in keys.append(key) }
    return keys
  }

  /// Sets and removes values.
  mutating func set(_ new: [(key: String, value: PlistValue?)]) {
    for (key, value) in new { key.withKeyBytes { _ = operations.set(value, forKey: $0) } }
  }

  /// Adds the changes of single keys that were made later.
  ///
  /// - Returns: The values that they replace.
  mutating func add(_ later: borrowing Changes) -> [PlistValue?] {
    var replaced: [PlistValue?] = []
    later.operations.forEach { key, value in
      key.withKeyBytes { replaced.append(operations.set(value, forKey: $0)) }
    }
    return replaced
  }

  /// The values with these changes applied.
  func applied(to values: PlistDictionary) -> PlistDictionary {
    if isEmpty { return values }
    var result = replacesAll ? PlistDictionary() : values
    var removed = Set<ByteKey>()
    operations.forEach { key, value in
      if let value { result[key] = value } else { removed.insert(ByteKey(key)) }
    }
    if removed.isEmpty { return result }
    // All removals at once: each one by itself would move the entries after it.
    return PlistDictionary(
      result.lazy.filter { !removed.contains(ByteKey($0.key)) }.map { ($0.key, $0.value) })
  }
}
