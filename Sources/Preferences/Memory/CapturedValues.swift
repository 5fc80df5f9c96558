internal import PropertyList

/// The values of a domain in memory at one moment, committed or not. The committed ones are shared
/// with the domain.
final class CapturedValues: Sendable {
  /// The committed values; empty if all have been replaced since.
  private let base: PlistDictionary
  /// The changes that have not been committed; a removal has no value.
  private let changes: [ByteKey: PlistValue?]

  init(_ base: PlistDictionary, saving: borrowing Changes, pending: borrowing Changes) {
    var changes: [ByteKey: PlistValue?] = [:]
    saving.operations.forEach { key, value in changes[ByteKey(key)] = .some(value) }
    if pending.replacesAll { changes = [:] }
    pending.operations.forEach { key, value in changes[ByteKey(key)] = .some(value) }
    self.base = saving.replacesAll || pending.replacesAll ? PlistDictionary() : base
    self.changes = changes
  }

  /// The value of a key.
  func value(forKey key: String) -> PlistValue? {
    if !changes.isEmpty, let changed = changes[ByteKey(key)] { return changed }
    return base[key]
  }

  /// The keys with values, in no particular order.
  var keys: [String] {
    if changes.isEmpty { return Array(base.keys) }
    return base.keys.filter { changes[ByteKey($0)] == nil }
      + changes.compactMap { key, value in value == nil ? nil : key.text }
  }
}
