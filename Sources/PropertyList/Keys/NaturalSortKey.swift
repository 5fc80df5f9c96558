/// The position of a text in natural order: regardless of case, with numbers by their value, and
/// with punctuation before digits before letters. For ASCII this is the order of the Unicode
/// Collation Algorithm with numeric ordering. Other characters follow the ASCII letters by code
/// point.
struct NaturalSortKey: Comparable {
  /// The characters, and the numbers of adjacent digits, by rank.
  private var ranks: [UInt32] = []
  /// Whether each letter is uppercase, which decides between texts of equal ranks.
  private var cases: [Bool] = []
  private let text: String

  init(_ text: String) {
    self.text = text
    ranks.reserveCapacity(text.utf8.count)
    var digits: [UInt32] = []
    for scalar in text.unicodeScalars {
      if let digit = Self.digits.firstIndex(of: scalar) {
        digits.append(UInt32(digit))
        continue
      }
      appendNumber(&digits)
      if let rank = Self.punctuation.firstIndex(of: scalar) {
        ranks.append(1 + UInt32(rank))
      } else if scalar.isASCII {
        let isUppercase = scalar.properties.isUppercase
        cases.append(isUppercase)
        ranks.append(Self.firstLetter + scalar.value + (isUppercase ? 0x20 : 0))
      } else {
        let lowercase = scalar.properties.lowercaseMapping.unicodeScalars
        cases.append(lowercase.first != scalar)
        ranks += lowercase.map { Self.firstLetter + $0.value }
      }
    }
    appendNumber(&digits)
  }

  /// Appends the digits of a number after the count of its significant digits.
  private mutating func appendNumber(_ digits: inout [UInt32]) {
    guard !digits.isEmpty else { return }
    let significant = digits.drop { $0 == 0 }
    ranks += [Self.number, UInt32(significant.count)] + significant
    digits.removeAll()
  }

  private static let punctuation = Array(" _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$".unicodeScalars)
  private static let digits = Array("0123456789".unicodeScalars)
  /// The rank of a number, above all punctuation.
  private static let number: UInt32 = 100
  /// The addend that makes a letter's code point its rank, above a number's.
  private static let firstLetter: UInt32 = 1000

  static func == (left: NaturalSortKey, right: NaturalSortKey) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  static func < (left: NaturalSortKey, right: NaturalSortKey) -> Bool {
    if left.ranks != right.ranks { return left.ranks.lexicographicallyPrecedes(right.ranks) }
    if left.cases != right.cases {
      return left.cases.lexicographicallyPrecedes(right.cases) { !$0 && $1 }
    }
    // Numbers of the same value may have leading zeros.
    let (size, otherSize) = (left.text.utf8.count, right.text.utf8.count)
    return size != otherSize
      ? size < otherSize : left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }
}

extension PlistDictionary {
  func naturallySortedPositions() -> [Int] {
    keys.enumerated()
      .map { (key: NaturalSortKey($0.element), position: $0.offset) }
      .sorted { $0.key < $1.key }
      .map(\.position)
  }

  package var naturallySortedKeys: [String] { naturallySortedPositions().map { key(at: $0) } }
}
