internal import FoundationEssentials
internal import PropertyList

extension PlistValue {
  /// The number of levels that a value may have; the domain around it adds one.
  static let depthLimit = PlistLimits().maximumDepth - 1

  /// Throws for values that would prevent the whole domain from being saved or read: null, sets,
  /// dates that are not a number, and containers nested too deeply.
  package func checkStorable() throws(PreferencesError) {
    switch self {
    // This is the case for most values, which need no list.
    case .string, .integer, .unsignedInteger, .real, .float, .boolean, .data, .uid: return
    default: break
    }
    var remaining = [(value: self, depth: Self.depthLimit)]
    /// The smallest remaining depth of each shared container that was checked.
    var checked = ContainerMemo<Int>()
    while let (value, depth) = remaining.popLast() {
      if let least = checked.result(for: value), least <= depth { continue }
      checked.insert(depth, for: value)
      switch value {
      case .null, .set: throw firstProblem
      case .date(let date) where date.timeIntervalSinceReferenceDate.isNaN: throw firstProblem
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

  /// The error of the first value, in document order, that cannot be stored for another reason than
  /// its nesting.
  private var firstProblem: PreferencesError {
    var remaining = [(value: self, path: [String]())]
    var visited = ContainerMemo<Bool>()
    while let (value, path) = remaining.popLast() {
      if visited.result(for: value) != nil { continue }
      visited.insert(true, for: value)
      let place = PlistKeyPath(components: path)
      switch value {
      case .null: return .nullValue(at: place)
      case .set: return .unsupportedType("set", at: place)
      case .date(let date) where date.timeIntervalSinceReferenceDate.isNaN:
        return .dateIsNaN(at: place)
      case .array(let elements):
        for (index, element) in elements.enumerated().reversed() {
          remaining.append((element, path + [String(index)]))
        }
      case .dictionary(let dictionary):
        for (key, element) in Array(dictionary).reversed() {
          remaining.append((element, path + [key]))
        }
      default: break
      }
    }
    return .tooDeep
  }
}

extension PlistDictionary {
  func checkStorable() throws(PreferencesError) {
    for (key, value) in self {
      do throws(PreferencesError) { try value.checkStorable() } catch { throw error.within(key) }
    }
  }
}
