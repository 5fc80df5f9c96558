internal import PropertyList

/// Changes that were made before a fork and not saved by then, in the child.
///
/// Saving them is up to the process that made them. They count as saved when it has committed them;
/// if it ends without that, the child saves those whose keys nobody has changed since the fork.
struct InheritedChanges: Sendable {
  /// The last change of each key; a removal has no value.
  private(set) var operations: [(key: String, value: PlistValue?)]
  /// The values of the file, as the process knew them at the fork.
  let found: PlistDictionary
  let origin: any Origin

  /// The domain that changes were inherited from, which knows what became of them.
  protocol Origin: Sendable {
    var fate: Fate { get }
  }

  enum Fate {
    /// The process that made them exists and has not committed them.
    case undecided
    case saved
    /// The process has ended without committing them.
    case abandoned
  }

  /// - Parameters:
  ///   - changes: The changes; those of nothing but keys, if all values were replaced.
  ///   - found: The values of the file, as known at the fork.
  init(_ changes: borrowing Changes, found: PlistDictionary, origin: some Origin) {
    var operations: [(key: String, value: PlistValue?)] = []
    if changes.replacesAll {
      let own = Set(changes.keys.map(ByteKey.init))
      operations = found.keys.filter { !own.contains(ByteKey($0)) }.map { ($0, nil) }
    }
    changes.operations.forEach { operations.append(($0, $1)) }
    self.operations = operations
    self.found = found
    self.origin = origin
  }

  /// The same without the changes of some keys.
  func without(_ keys: Set<ByteKey>) -> InheritedChanges {
    var result = self
    result.operations.removeAll { keys.contains(ByteKey($0.key)) }
    return result
  }

  /// Applies the changes.
  func apply(to values: inout PlistDictionary) {
    for (key, value) in operations { values[key] = value }
  }

  /// Applies the changes of those keys that have kept the value that they had in the file at the
  /// fork, or have one of earlier changes.
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
