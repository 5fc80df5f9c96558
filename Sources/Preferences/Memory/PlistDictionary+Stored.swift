internal import PropertyList

extension PlistDictionary {
  /// Whether a file that holds other values need not be written to hold these.
  ///
  /// - Parameter changed: The keys of which alone the values can differ; nil for any.
  func isStoredLike(_ other: PlistDictionary, changed: [String]?) -> Bool {
    guard count == other.count else { return false }
    let keys = changed ?? Array(self.keys)
    return keys.allSatisfy { key in
      switch (self[key], other[key]) {
      case (nil, nil): true
      case (let value?, let old?): value.isStoredLike(old)
      default: false
      }
    }
  }
}

extension PlistValue {
  /// Whether both are equal down to what equality passes over, the width of reals and the sign of zeros:
  /// the binary forms are the same bytes then.
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
