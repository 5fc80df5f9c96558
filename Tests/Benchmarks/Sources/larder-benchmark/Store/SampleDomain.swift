import PropertyList

/// A typical domain of an application with a number of keys.
struct SampleDomain {
  let count: Int
  /// All values in the order of their indices.
  let values: PlistDictionary

  init(count: Int) {
    self.count = count
    var values = PlistDictionary()
    for index in 0..<count { values[Self.key(index)] = Self.value(index) }
    self.values = values
  }

  /// The number of keys that a sample rotates through.
  static let rotation = 256

  /// The kind of a value.
  enum Kind: Int, CaseIterable {
    case integer, string, boolean, longString

    var description: String {
      switch self {
      case .integer: "Int"
      case .string: "String of 10"
      case .boolean: "Bool"
      case .longString: "String of 60"
      }
    }

    /// The key of a value of this kind in every domain, which a loop reads by a literal.
    @inline(__always)
    var fixedKey: String {
      switch self {
      case .integer: "NSNavPanelExpandedCountForOpenMode"
      case .string: "AppleInterfaceStyle"
      case .boolean: "ApplePersistenceIgnoreState"
      case .longString: "NSRecentDocumentsFolderOfLastSave"
      }
    }
  }

  /// Returns the key at an index, with new storage: a key that is looked up is a different string
  /// than the stored one.
  static func key(_ index: Int) -> String {
    if index < Kind.allCases.count {
      return String(decoding: Array(Kind.allCases[index].fixedKey.utf8), as: UTF8.self)
    }
    return switch index % 5 {
    case 0: "WindowFrame.\(index)"
    case 1: "org.example.editor.recent-\(index)"
    case 2: "Volume-\(index)"
    case 3: "NSNavPanelExpandedSizeForOpenMode.\(index)"
    default: "sidebar.item.\(index)"
    }
  }

  static func kind(_ index: Int) -> Kind { Kind.allCases[index % Kind.allCases.count] }

  /// Returns the value at an index.
  static func value(_ index: Int) -> PlistValue {
    switch kind(index) {
    case .integer: .integer(Int64(1_000_000 + index))
    case .string: .string(string(index))
    case .boolean: .boolean(index % 8 < 4)
    case .longString: .string(longString(index))
    }
  }

  /// Returns a string of 10 characters.
  static func string(_ index: Int) -> String {
    "value" + String(10_000 + index % 90_000)
  }

  /// Returns a string of 60 characters.
  static func longString(_ index: Int) -> String {
    "/home/somebody/Documents/Letters of the year/" + string(index) + ".text"
  }

  /// Returns the indices of values of a kind that a sample rotates through, spread over the domain.
  func indices(of kind: Kind) -> [Int] {
    let step = Kind.allCases.count
    return (0..<Self.rotation).map { $0 * 7919 % (count / step) * step + kind.rawValue }
  }

  /// Returns the keys of values of a kind that a sample rotates through.
  func keys(of kind: Kind) -> [String] {
    indices(of: kind).map(Self.key)
  }

  /// Similar keys that the domain does not have.
  var absentKeys: [String] {
    (count..<count + Self.rotation).map(Self.key)
  }
}
