internal import PropertyList

extension PlistDictionary {
  /// The keys whose values differ, or that only one of the dictionaries has.
  func keysChanged(to other: PlistDictionary) -> [String] {
    var keys: [String] = []
    var isSameOrder = true
    for (position, (key, value)) in enumerated() {
      // Usually both have the same keys in the same order, and no lookup is needed.
      if isSameOrder, position < other.count, other[position].key.hasSameBytes(as: key) {
        if other[position].value != value { keys.append(key) }
      } else {
        isSameOrder = false
        if other[key] != value { keys.append(key) }
      }
    }
    for (key, _) in isSameOrder ? other[Swift.min(count, other.count)...] : other[...]
    where self[key] == nil {
      keys.append(key)
    }
    return keys
  }

  /// Whether a file with the other values already stores these.
  ///
  /// - Parameter changed: The only keys whose values may differ; nil for any.
  func isStoredLike(_ other: PlistDictionary, changed: [String]?) -> Bool {
    guard count == other.count else { return false }
    return (changed ?? Array(self.keys)).allSatisfy { key in
      switch (self[key], other[key]) {
      case (nil, nil): true
      case (let value?, let old?): value.isStoredLike(old)
      default: false
      }
    }
  }
}

extension PlistValue {
  /// Whether both values have the same binary encoding; `==` ignores the width of reals and the
  /// sign of zeros.
  fileprivate func isStoredLike(_ other: PlistValue) -> Bool {
    switch (self, other) {
    case (.real(let one), .real(let two)): return one.bitPattern == two.bitPattern
    case (.float(let one), .float(let two)): return one.bitPattern == two.bitPattern
    case (.real, .float), (.float, .real): return false
    case (.array, .array), (.dictionary, .dictionary):
      guard self == other else { return false }
      let forms = [self, other].map { try? Plist.write($0, as: .binary) }
      return forms[0] != nil && forms[0] == forms[1]
    default: return self == other
    }
  }
}
