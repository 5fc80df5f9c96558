internal import PropertyList

/// Changes of a domain that are committed together.
struct Changes: ~Copyable {
  /// Whether all values were replaced: keys without an entry are removed, including those that
  /// other processes add.
  var replacesAll = false
  /// The last change of each key; a removal has no value.
  var operations = KeyTable()

  init() {}

  init(_ other: borrowing Changes) {
    replacesAll = other.replacesAll
    other.operations.forEach { key, value in set([(key, value)]) }
  }

  var isEmpty: Bool { !replacesAll && operations.count == 0 }

  var keys: [String] {
    var keys: [String] = []
    operations.forEach { key, _ in keys.append(key) }
    return keys
  }

  mutating func set(_ new: [(key: String, value: PlistValue?)]) {
    for (key, value) in new { key.withKeyBytes { _ = operations.set(value, forKey: $0) } }
  }

  /// Adds later changes of single keys and returns the values that they replace.
  mutating func add(_ later: borrowing Changes) -> [PlistValue?] {
    var replaced: [PlistValue?] = []
    later.operations.forEach { key, value in
      key.withKeyBytes { replaced.append(operations.set(value, forKey: $0)) }
    }
    return replaced
  }

  func applied(to values: PlistDictionary) -> PlistDictionary {
    if isEmpty { return values }
    var result = replacesAll ? PlistDictionary() : values
    var removed = Set<ByteKey>()
    operations.forEach { key, value in
      if let value { result[key] = value } else { removed.insert(ByteKey(key)) }
    }
    if removed.isEmpty { return result }
    // All keys are removed at once, because each single removal would move the entries after it.
    return PlistDictionary(
      result.lazy.filter { !removed.contains(ByteKey($0.key)) }.map { ($0.key, $0.value) })
  }
}

/// A domain's values in three generations; a later one hides earlier ones.
struct Generations: ~Copyable {
  /// Committed values. An entry without a value is a removed key.
  var base = KeyTable()
  /// Changes being committed.
  var saving = Changes()
  /// Changes made since.
  var pending = Changes()
  /// The latest snapshot; nil after a change.
  var captured: CapturedValues?

  /// Finds a value. The pointer is valid until the next change.
  @inline(__always)
  func find(_ key: KeyBytes) -> UnsafePointer<PlistValue?>? {
    if let place = pending.operations.find(key) { return place }
    if pending.replacesAll { return nil }
    if let place = saving.operations.find(key) { return place }
    if saving.replacesAll { return nil }
    return base.find(key)
  }
}

/// A domain's values at one moment, committed or not. The committed values are shared with the
/// domain.
final class CapturedValues: Sendable {
  /// The committed values; empty if all have been replaced since.
  private let base: PlistDictionary
  /// Uncommitted changes; a removal has no value.
  private let changes: [ByteKey: PlistValue?]

  init(_ base: PlistDictionary, saving: borrowing Changes, pending: borrowing Changes) {
    var changes: [ByteKey: PlistValue?] = [:]
    saving.operations.forEach { key, value in changes[ByteKey(key)] = .some(value) }
    if pending.replacesAll { changes = [:] }
    pending.operations.forEach { key, value in changes[ByteKey(key)] = .some(value) }
    self.base = saving.replacesAll || pending.replacesAll ? PlistDictionary() : base
    self.changes = changes
  }

  func value(forKey key: String) -> PlistValue? {
    if !changes.isEmpty, let changed = changes[ByteKey(key)] { return changed }
    return base[key]
  }

  /// The keys, in no particular order.
  var keys: [String] {
    if changes.isEmpty { return Array(base.keys) }
    return base.keys.filter { changes[ByteKey($0)] == nil }
      + changes.compactMap { key, value in value == nil ? nil : key.text }
  }
}
