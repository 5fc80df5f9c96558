internal import PropertyList

/// Changes in a child that its parent made before the fork and had not saved.
///
/// The process that made them is responsible for saving them. When it has committed them they count
/// as saved; if it ends without that, the child saves those whose keys have not changed since the
/// fork.
struct InheritedChanges: Sendable {
  /// The last change of each key; a removal has no value.
  private(set) var operations: [(key: String, value: PlistValue?)]
  /// The file's values as known at the fork.
  let found: PlistDictionary
  let origin: any Origin

  /// The domain that made the changes and knows what became of them.
  protocol Origin: Sendable {
    var fate: Fate { get }
  }

  enum Fate {
    /// The process exists and has not committed them.
    case undecided
    case saved
    /// The process has ended without committing them.
    case abandoned
  }

  init(_ changes: borrowing Changes, found: PlistDictionary, origin: some Origin) {
    operations = []
    if changes.replacesAll {
      let own = Set(changes.keys.map(ByteKey.init))
      operations = found.keys.filter { !own.contains(ByteKey($0)) }.map { ($0, nil) }
    }
    self.found = found
    self.origin = origin
    changes.operations.forEach { operations.append(($0, $1)) }
  }

  func without(_ keys: Set<ByteKey>) -> InheritedChanges {
    var result = self
    result.operations.removeAll { keys.contains(ByteKey($0.key)) }
    return result
  }

  func apply(to values: inout PlistDictionary) {
    for (key, value) in operations { values[key] = value }
  }

  /// Applies the changes whose keys have the same value in the file as at the fork, or one from
  /// earlier changes.
  func apply(to values: inout PlistDictionary, over present: PlistDictionary, after earlier: [Self])
  {
    for (key, value) in operations {
      let isUntouched =
        present[key] == found[key]
        || earlier.contains { changes in
          changes.operations.contains { $0.key.hasSameBytes(as: key) && $0.value == present[key] }
        }
      if isUntouched { values[key] = value }
    }
  }
}
