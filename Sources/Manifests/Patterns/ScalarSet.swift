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
    case punctuation
    case hexadecimalDigit
    case control
    /// The first letters of names of general categories, such as `Lu` or `L`.
    case category(String)
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
    case "punct", "punctuation": self = .punctuation
    case "space", "white_space": self = .space
    case "xdigit", "hex_digit": self = .hexadecimalDigit
    case "word": self = .word
    case "blank": self = .horizontalSpace
    case "cntrl": self = .control
    case "any": self = .any
    default:
      let categories = ["L", "M", "N", "P", "S", "Z", "C"]
      guard let first = name.first, categories.contains(String(first)), name.utf8.count <= 2,
        name.count == 1 || Unicode.GeneralCategory.abbreviations.contains(name)
      else { return nil }
      self = .category(name)
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
    case .punctuation: properties.generalCategory.abbreviation.hasPrefix("P")
    case .hexadecimalDigit: properties.isASCIIHexDigit
    case .control: properties.generalCategory == .control
    case .category(let name): properties.generalCategory.abbreviation.hasPrefix(name)
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
    return properties.isAlphabetic || value == 0x200C || value == 0x200D
      || ["Mn", "Mc", "Me", "Nd", "Pc"].contains(properties.generalCategory.abbreviation)
  }

  /// Whether `.` excludes the character, and lines end at it.
  var isLineBreak: Bool {
    0x0A...0x0D ~= value || value == 0x85 || value == 0x2028 || value == 0x2029
  }

  /// The upper-case and lower-case forms, where they are one character.
  fileprivate var otherCases: [Unicode.Scalar] {
    [properties.lowercaseMapping, properties.uppercaseMapping].compactMap { text in
      text.unicodeScalars.count == 1 ? text.unicodeScalars.first : nil
    }
  }
}

extension Unicode.GeneralCategory {
  static let abbreviations: Set<String> = [
    "Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "No", "Pc", "Pd", "Ps", "Pe", "Pi",
    "Pf", "Po", "Sm", "Sc", "Sk", "So", "Zs", "Zl", "Zp", "Cc", "Cf", "Cs", "Co", "Cn",
  ]

  /// The category's short name, such as `Lu`.
  fileprivate var abbreviation: String {
    switch self {
    case .uppercaseLetter: "Lu"
    case .lowercaseLetter: "Ll"
    case .titlecaseLetter: "Lt"
    case .modifierLetter: "Lm"
    case .otherLetter: "Lo"
    case .nonspacingMark: "Mn"
    case .spacingMark: "Mc"
    case .enclosingMark: "Me"
    case .decimalNumber: "Nd"
    case .letterNumber: "Nl"
    case .otherNumber: "No"
    case .connectorPunctuation: "Pc"
    case .dashPunctuation: "Pd"
    case .openPunctuation: "Ps"
    case .closePunctuation: "Pe"
    case .initialPunctuation: "Pi"
    case .finalPunctuation: "Pf"
    case .otherPunctuation: "Po"
    case .mathSymbol: "Sm"
    case .currencySymbol: "Sc"
    case .modifierSymbol: "Sk"
    case .otherSymbol: "So"
    case .spaceSeparator: "Zs"
    case .lineSeparator: "Zl"
    case .paragraphSeparator: "Zp"
    case .control: "Cc"
    case .format: "Cf"
    case .surrogate: "Cs"
    case .privateUse: "Co"
    case .unassigned: "Cn"
    @unknown default: "Cn"
    }
  }
}

/// A set with a bit for each ASCII character.
struct CompiledSet: Sendable {
  /// The ASCII characters, by their codes.
  private(set) var bits: (UInt64, UInt64) = (0, 0)
  private let set: ScalarSet
  /// What a character beyond ASCII costs, in steps.
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
