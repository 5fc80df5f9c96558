internal import PropertyList

/// Changes of a domain that came one after another and are saved together.
struct Changes: ~Copyable {
  /// Whether everything was replaced: keys that have no entry are gone then, seen or not.
  var replacesAll = false
  /// The last change of each key, which for a removal has no value.
  var operations = KeyTable()

  var isEmpty: Bool { !replacesAll && operations.count == 0 }

  /// The keys that are named.
  var keys: [String] {
    var keys: [String] = []
    operations.forEach { key, _ in keys.append(key) }
    return keys
  }

  /// The values with these changes made.
  func applied(to values: PlistDictionary) -> PlistDictionary {
    if isEmpty { return values }
    var result = replacesAll ? PlistDictionary() : values
    var removed = Set<ByteKey>()
    operations.forEach { key, value in
      if let value { result[key] = value } else { removed.insert(ByteKey(key)) }
    }
    if removed.isEmpty { return result }
    // All removals at once: each by itself would move what is behind.
    return PlistDictionary(
      result.lazy.filter { !removed.contains(ByteKey($0.key)) }.map { ($0.key, $0.value) })
  }
}
