import Foundation

/// Realistic random values, the same for the same seed.
struct RandomValues {
  private var generator: SeededGenerator

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  private static let words = [
    "amber", "autumn", "blue", "bridge", "city", "cloud", "dance", "distant", "dream", "echo",
    "evening", "fire", "forest", "garden", "golden", "harbour", "heart", "home", "island", "light",
    "lonely", "midnight", "moon", "morning", "night", "ocean", "open", "paper", "rain", "river",
    "road", "silver", "slow", "song", "stone", "summer", "thunder", "water", "wild", "winter",
  ]
  private static let accented = ["Café", "Ñandú", "Straße", "東京", "Ωmega", "Ålesund"]

  mutating func integer(below bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

  mutating func integer(in range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &generator)
  }

  mutating func bits() -> UInt64 { generator.next() }

  mutating func real() -> Double { Double.random(in: 0..<1, using: &generator) }

  mutating func chance(_ part: Double) -> Bool { real() < part }

  mutating func element<Element>(of elements: [Element]) -> Element {
    elements[integer(below: elements.count)]
  }

  mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
    elements.shuffled(using: &generator)
  }

  mutating func word() -> String { element(of: Self.words) }

  /// Returns capitalized words, some with a non-ASCII word or an ampersand.
  mutating func title(words: Int) -> String {
    var parts = (0..<words).map { _ in word().capitalized }
    if chance(0.1) { parts.append(element(of: Self.accented)) }
    if chance(0.05) { parts.append("& Co") }
    return parts.joined(separator: " ")
  }

  /// Returns a date of whole seconds within ten years.
  mutating func date() -> Date {
    Date(timeIntervalSinceReferenceDate: Double(500_000_000 + integer(below: 315_000_000)))
  }

  mutating func data(count: Int) -> Data {
    Data((0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) })
  }

  /// Returns sixteen hexadecimal digits.
  mutating func persistentIdentifier() -> String {
    let digits = String(bits(), radix: 16, uppercase: true)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
