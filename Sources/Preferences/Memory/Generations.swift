internal import PropertyList

/// The values of a domain in three generations, as searches see them: a later one hides those
/// before it.
struct Generations: ~Copyable {
  /// The contents of the file. An entry without a value is a key that was removed.
  var base = KeyTable()
  /// Changes that are being committed.
  var saving = Changes()
  /// Changes that were made since.
  var pending = Changes()
  /// All of that as a snapshot last captured it; nil after a change.
  var captured: CapturedValues?

  /// Finds the value of a key. The pointer is valid until something changes.
  @inline(__always)
  func find(_ key: KeyBytes) -> UnsafePointer<PlistValue?>? {
    if let place = pending.operations.find(key) { return place }
    if pending.replacesAll { return nil }
    if let place = saving.operations.find(key) { return place }
    if saving.replacesAll { return nil }
    return base.find(key)
  }
}
