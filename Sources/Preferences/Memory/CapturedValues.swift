internal import PropertyList

/// A domain's values at one moment, committed or not. The committed ones are shared with the
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

  /// In no particular order.
  var keys: [String] {
    if changes.isEmpty { return Array(base.keys) }
    return base.keys.filter { changes[ByteKey($0)] == nil }
      + changes.compactMap { key, value in value == nil ? nil : key.text }
  }
}
