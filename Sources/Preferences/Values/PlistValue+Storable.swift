internal import FoundationEssentials
internal import PropertyList

extension PlistValue {
  /// How deep containers may be nested in a value: the domain around them is one more.
  static let depthLimit = PlistLimits().maximumDepth - 1

  /// Refuses what would keep the whole domain from being saved or read: null, sets, dates that are
  /// no number, and containers that are nested too deep.
  package func checkStorable() throws(PreferencesError) {
    switch self {
    // Most values are such, and need no list.
    case .string, .integer, .unsignedInteger, .real, .float, .boolean, .data, .uid: return
    default: break
    }
    var remaining = [(value: self, depth: Self.depthLimit)]
    /// The least depth that shared containers have been left.
    var checked = ContainerMemo<Int>()
    while let (value, depth) = remaining.popLast() {
      if let least = checked.result(for: value), least <= depth { continue }
      checked.insert(depth, for: value)
      switch value {
      case .null, .set: throw .unsupportedType("\(value.kind)")
      case .date(let date) where date.timeIntervalSinceReferenceDate.isNaN:
        throw .dateIsNaN
      case .array(let elements):
        guard depth > 0 else { throw .tooDeep }
        for element in elements { remaining.append((element, depth - 1)) }
      case .dictionary(let dictionary):
        guard depth > 0 else { throw .tooDeep }
        for element in dictionary.values { remaining.append((element, depth - 1)) }
      default: break
      }
    }
  }
}

extension PlistDictionary {
  /// Refuses what preferences cannot hold.
  func checkStorable() throws(PreferencesError) {
    for value in values { try value.checkStorable() }
  }
}

extension PreferencesError {
  /// Containers are nested deeper than property lists allow.
  static let tooDeep = PreferencesError.nestedTooDeeply(limit: PlistLimits().maximumDepth)
}
