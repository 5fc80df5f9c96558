/// A set of characters that a regular expression names: `[a-z\d]`, `\w` or `.`.
struct ScalarSet: Sendable {
  /// A set that is defined by a property of its characters.
  enum Trait: Sendable {
    case digit
    case word
    case space
    case horizontalSpace
    case lineBreak
    case alphabetic
    case uppercase
    case lowercase
    case alphanumeric
    case hexadecimalDigit
    case control
    case categories(Set<Unicode.GeneralCategory>)
    case any
  }

  private(set) var ranges: [ClosedRange<UInt32>] = []
  private(set) var traits: [(trait: Trait, isNegated: Bool)] = []
  private(set) var sets: [ScalarSet] = []
  var isNegated = false
  var ignoresCase = false

  mutating func insert(_ scalar: Unicode.Scalar) {
    ranges.append(scalar.value...scalar.value)
  }

  mutating func insert(_ first: Unicode.Scalar, through last: Unicode.Scalar) {
    ranges.append(first.value...last.value)
  }

  mutating func insert(_ trait: Trait, isNegated: Bool = false) {
    traits.append((trait, isNegated))
  }

  mutating func insert(_ set: ScalarSet) {
    sets.append(set)
  }

  /// The number of ranges and properties that are tried, at least one.
  var itemCount: Int {
    max(1, sets.reduce(ranges.count + traits.count) { $0 + $1.itemCount })
  }

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    var isMember = includes(scalar)
    if !isMember, ignoresCase {
      isMember = scalar.otherCases.contains { includes($0) }
    }
    return isMember != isNegated
  }

  private func includes(_ scalar: Unicode.Scalar) -> Bool {
    ranges.contains { $0.contains(scalar.value) }
      || traits.contains { $0.trait.contains(scalar) != $0.isNegated }
      || sets.contains { $0.contains(scalar) }
  }
}

extension ScalarSet.Trait {
  /// The trait of a POSIX class such as `[:alpha:]`, or of `\p{Alphabetic}`; nil for other names.
  init?(name: String) {
    switch name.lowercased() {
    case "alpha", "alphabetic": self = .alphabetic
    case "digit": self = .digit
    case "alnum": self = .alphanumeric
    case "upper", "uppercase": self = .uppercase
    case "lower", "lowercase": self = .lowercase
    case "punct", "punctuation": self = .categories(Unicode.GeneralCategory.categories("P"))
    case "space", "white_space": self = .space
    case "xdigit", "hex_digit": self = .hexadecimalDigit
    case "word": self = .word
    case "blank": self = .horizontalSpace
    case "cntrl": self = .control
    case "any": self = .any
    default:
      let categories = Unicode.GeneralCategory.categories(name)
      if name.isEmpty || categories.isEmpty { return nil }
      self = .categories(categories)
    }
  }

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    return switch self {
    case .any: true
    case .digit: properties.generalCategory == .decimalNumber
    case .word: scalar.isWordCharacter
    case .space: properties.isWhitespace
    case .horizontalSpace: scalar == "\t" || properties.generalCategory == .spaceSeparator
    case .lineBreak: scalar.isLineBreak
    case .alphabetic: properties.isAlphabetic
    case .uppercase: properties.isUppercase
    case .lowercase: properties.isLowercase
    case .alphanumeric:
      properties.isAlphabetic || properties.generalCategory == .decimalNumber
    case .hexadecimalDigit: properties.isASCIIHexDigit
    case .control: properties.generalCategory == .control
    case .categories(let categories): categories.contains(properties.generalCategory)
    }
  }
}

extension Unicode.Scalar {
  /// Whether `\w` matches the character.
  var isWordCharacter: Bool {
    if value < 0x80 {
      return switch value {
      case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: true
      default: false
      }
    }
    if properties.isAlphabetic || value == 0x200C || value == 0x200D { return true }
    return switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .connectorPunctuation: true
    default: false
    }
  }

  /// Whether `.` excludes the character, and lines end at it.
  var isLineBreak: Bool {
    0x0A...0x0D ~= value || value == 0x85 || value == 0x2028 || value == 0x2029
  }

  /// The upper-case and lower-case forms, if they are single characters.
  fileprivate var otherCases: [Unicode.Scalar] {
    [properties.lowercaseMapping, properties.uppercaseMapping].compactMap { text in
      text.unicodeScalars.count == 1 ? text.unicodeScalars.first : nil
    }
  }
}

extension Unicode.GeneralCategory {
  /// The categories by their short names.
  private static let named: [String: Self] = [
    "Lu": .uppercaseLetter, "Ll": .lowercaseLetter, "Lt": .titlecaseLetter, "Lm": .modifierLetter,
    "Lo": .otherLetter, "Mn": .nonspacingMark, "Mc": .spacingMark, "Me": .enclosingMark,
    "Nd": .decimalNumber, "Nl": .letterNumber, "No": .otherNumber, "Pc": .connectorPunctuation,
    "Pd": .dashPunctuation, "Ps": .openPunctuation, "Pe": .closePunctuation,
    "Pi": .initialPunctuation, "Pf": .finalPunctuation, "Po": .otherPunctuation,
    "Sm": .mathSymbol, "Sc": .currencySymbol, "Sk": .modifierSymbol, "So": .otherSymbol,
    "Zs": .spaceSeparator, "Zl": .lineSeparator, "Zp": .paragraphSeparator, "Cc": .control,
    "Cf": .format, "Cs": .surrogate, "Co": .privateUse, "Cn": .unassigned,
  ]

  /// The categories whose short names begin with this text, such as `L` or `Lu`.
  fileprivate static func categories(_ name: String) -> Set<Self> {
    Set(named.lazy.filter { $0.key.utf8.starts(with: name.utf8) }.map(\.value))
  }
}

/// A set with a bit for each ASCII character.
struct CompiledSet: Sendable {
  /// The ASCII characters, by their codes.
  private(set) var bits: (UInt64, UInt64) = (0, 0)
  private let set: ScalarSet
  /// The cost of a character beyond ASCII, in steps.
  let cost: Int

  init(_ set: ScalarSet) {
    self.set = set
    cost = set.itemCount
    for value in UInt8(0)..<64 where set.contains(Unicode.Scalar(value)) { bits.0 |= 1 << value }
    for value in UInt8(0)..<64 where set.contains(Unicode.Scalar(value + 64)) {
      bits.1 |= 1 << value
    }
  }

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<64: bits.0 >> scalar.value & 1 == 1
    case 64..<128: bits.1 >> (scalar.value - 64) & 1 == 1
    default: set.contains(scalar)
    }
  }
}
