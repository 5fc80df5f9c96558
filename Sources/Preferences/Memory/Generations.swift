internal import PropertyList

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
