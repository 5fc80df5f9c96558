internal import PropertyList

/// What this process has changed in a domain and not saved yet.
struct PendingChanges: Sendable {
  /// A change of one key.
  struct Operation: Sendable {
    /// Nil to remove the key.
    var value: PlistValue?
    var serial: UInt64
  }

  /// A key by its bytes.
  private struct Key: Hashable, Sendable {
    let text: String

    static func == (left: Key, right: Key) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    func hash(into hasher: inout Hasher) {
      var text = text
      text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
  }

  /// When everything was replaced: keys that no operation names are gone then, seen or not.
  private(set) var replacement: UInt64?
  private var operations: [Key: Operation] = [:]
  private var serial: UInt64 = 0

  var isEmpty: Bool { replacement == nil && operations.isEmpty }

  /// The last change of a key; nil where there is none.
  func operation(on key: String) -> Operation? { operations[Key(text: key)] }

  mutating func set(_ value: PlistValue?, forKey key: String) {
    serial += 1
    operations[Key(text: key)] = Operation(value: value, serial: serial)
  }

  /// Puts all that is given in the place of all that there is.
  mutating func replaceAll(with values: PlistDictionary) {
    serial += 1
    replacement = serial
    operations.removeAll(keepingCapacity: true)
    for (key, value) in values { set(value, forKey: key) }
  }

  /// The values with these changes made.
  func applied(to values: PlistDictionary) -> PlistDictionary {
    if isEmpty { return values }
    var result = replacement == nil ? values : PlistDictionary()
    // All removals at once: each by itself would move what is behind.
    if !result.isEmpty, operations.values.contains(where: { $0.value == nil }) {
      result = PlistDictionary(
        result.lazy.filter { key, _ in operation(on: key).map { $0.value != nil } ?? true }
          .map { ($0.key, $0.value) })
    }
    for (key, operation) in operations.sorted(by: { $0.value.serial < $1.value.serial }) {
      if let value = operation.value { result[key.text] = value }
    }
    return result
  }

  /// Forgets the changes that a copy of these holds, since they have been saved; later ones stay.
  mutating func remove(_ saved: PendingChanges) {
    if replacement == saved.replacement { replacement = nil }
    for (key, operation) in saved.operations where operations[key]?.serial == operation.serial {
      operations[key] = nil
    }
  }
}
