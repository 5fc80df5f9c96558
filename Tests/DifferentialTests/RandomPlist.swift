import Foundation
import PropertyList
import TestSupport

/// Generates values of every kind that plistlib and the toolchain's plutil support, the same value
/// for the same seed.
struct RandomPlist {
  private var generator: SeededGenerator
  /// The number of nodes that may still be added.
  private var budget: Int
  /// The leaves so far; some are used again.
  private var leaves: [PlistValue] = []

  private static let maximumDepth = 60

  /// The value of a seed.
  static func value(seed: UInt64) -> PlistValue {
    var plist = RandomPlist(seed: seed)
    return plist.root()
  }

  private init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    budget = 0
    let sizes = [0...0, 1...4, 5...30, 5...30, 31...100, 31...100, 101...400]
    budget = Int.random(in: pick(sizes), using: &generator)
  }

  // MARK: Containers

  private mutating func root() -> PlistValue {
    chance(1, in: 10) ? leaf() : container(depth: 1)
  }

  private mutating func node(depth: Int) -> PlistValue {
    budget -= 1
    guard depth < Self.maximumDepth, chance(1, in: 4) else { return leaf() }
    return container(depth: depth + 1)
  }

  private mutating func container(depth: Int) -> PlistValue {
    // Containers of a single value make the tree deep; the root takes as many values as it can.
    let most = depth == 1 ? 60 : pick([0, 1, 1, 1, 6, 20])
    let count = max(0, min(budget, most))
    if chance(1, in: 3) {
      return .array((0..<count).map { _ in node(depth: depth) })
    }
    var dictionary = PlistDictionary()
    for _ in 0..<count { dictionary[key()] = node(depth: depth) }
    return .dictionary(dictionary)
  }

  private mutating func key() -> String {
    chance(1, in: 3) ? "key \(Int.random(in: 0...99, using: &generator))" : text(upTo: 6)
  }

  // MARK: Leaves

  private mutating func leaf() -> PlistValue {
    if chance(1, in: 6), let leaf = leaves.randomElement(using: &generator) { return leaf }
    let leaf = newLeaf()
    leaves.append(leaf)
    return leaf
  }

  private mutating func newLeaf() -> PlistValue {
    switch Int.random(in: 0..<10, using: &generator) {
    case 0, 1: .string(string())
    case 2, 3: integer()
    case 4, 5: .real(real())
    case 6: .float(float())
    case 7: .boolean(chance(1, in: 2))
    case 8: .date(date())
    default: .data(data())
    }
  }

  private static let integers: [PlistValue] =
    [0, 1, -1, .integer(.max), .integer(.min), .unsignedInteger(.max), .unsignedInteger(1 << 63)]

  private mutating func integer() -> PlistValue {
    if chance(1, in: 4) { return pick(Self.integers) }
    // Every bit length is equally likely.
    let bits = UInt64.random(in: 0 ... .max, using: &generator)
    let magnitude = bits >> UInt64.random(in: 0..<64, using: &generator)
    guard let number = Int64(exactly: magnitude) else { return .unsignedInteger(magnitude) }
    return .integer(chance(1, in: 2) ? number : -number)
  }

  private static let reals: [Double] = [
    0, -0.0, 1, -1, 0.1, 1.5, 100, 1e15, 1e16, 1e17, 1e18, 123_456_789.123, 1 / 3, 0.001, 0.0001,
    0.00001, 1e22, 1e23, 9_007_199_254_740_992, .leastNonzeroMagnitude, -.leastNonzeroMagnitude,
    .leastNormalMagnitude, .leastNormalMagnitude.nextDown, .greatestFiniteMagnitude,
    -.greatestFiniteMagnitude,
    .infinity, -.infinity, .nan,
  ]

  private mutating func real() -> Double {
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: return pick(Self.reals)
    case 1:
      let number = Double(bitPattern: .random(in: 0 ... .max, using: &generator))
      return number.isNaN ? .nan : number
    case 2: return Double(Int.random(in: -1_000_000...1_000_000, using: &generator)) / 1000
    default: return Double.random(in: -1e6...1e6, using: &generator)
    }
  }

  private mutating func float() -> Float {
    if chance(1, in: 2) { return Float(Int.random(in: -999...999, using: &generator)) / 8 }
    let number = Float(bitPattern: .random(in: 0 ... .max, using: &generator))
    return number.isNaN ? .nan : number
  }

  /// A whole second of the years 1 to 9999.
  private mutating func date() -> Date {
    let edges = [-63_113_904_000, 252_423_993_599, -978_307_200, 0, -1]
    let seconds =
      chance(1, in: 6) ? pick(edges) : Int.random(in: edges[0]...edges[1], using: &generator)
    return Date(timeIntervalSinceReferenceDate: Double(seconds))
  }

  private mutating func data() -> Data {
    let most = chance(1, in: 30) ? 5000 : 70
    let count = Int.random(in: 0...most, using: &generator)
    return Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
  }

  // MARK: Text

  private mutating func string() -> String {
    chance(1, in: 25) ? text(upTo: 2000) : text(upTo: 12)
  }

  private static let pieces: [String] = [
    // Markup and white space.
    "<", ">", "&", "'", "\"", "]]>", "<![CDATA[", "<!--", "-->", "&amp;", "&#13;", "</string>",
    " ", "  ", "\t", "\n", "\r", "\r\n", "\n\n",
    // Words, and text that looks like another kind of value.
    "a", "Z", "word", "key", "0", "true", "1.5", "$null", "$class", "bplist00", "\\", "%", "\u{7F}",
    // Composed and decomposed letters, scripts, emoji, the edges of Unicode's ranges.
    "é", "e\u{301}", "Å", "A\u{30A}", "한", "\u{1112}\u{1161}\u{11AB}", "中文", "עברית", "ï", "ß",
    "😀", "👩‍👩‍👧‍👦", "🇩🇪", "\u{80}", "\u{85}", "\u{9F}", "\u{A0}", "\u{7FF}", "\u{800}", "\u{2028}",
    "\u{2029}", "\u{D7FF}", "\u{E000}", "\u{FEFF}", "\u{FFFD}", "\u{10000}", "\u{10FFFF}",
    "\u{301}",
  ]

  private mutating func text(upTo most: Int) -> String {
    let count = Int.random(in: 0...most, using: &generator)
    return (0..<count).map { _ in pick(Self.pieces) }.joined()
  }

  // MARK: Choice

  private mutating func pick<T>(_ choices: [T]) -> T {
    choices[Int.random(in: choices.indices, using: &generator)]
  }

  private mutating func chance(_ part: Int, in whole: Int) -> Bool {
    Int.random(in: 0..<whole, using: &generator) < part
  }
}
