import Testing

@testable import PropertyList

@Suite("Sorting keys")
struct KeySorterTests {
  /// Returns the keys sorted by comparing the code units of all of them.
  private static func compared(_ keys: [String]) -> [String] {
    keys.sorted { $0.utf16.lexicographicallyPrecedes($1.utf16) }
  }

  private static func sorted(_ keys: [String]) -> [String] {
    KeySorter.sortedPositions(of: keys).map { keys[$0] }
  }

  @Test(
    "follows the UTF-16 code units",
    arguments: [
      [],
      ["alone"],
      ["b", "", "a"],
      ["abcdefgh", "abcdefg", "abcdefghi", "abcdef", "abcdefgg"],
      // A key that ends comes before one that continues with null characters.
      ["a\0\0", "a", "a\0", "a\0\0\0\0\0\0\0\0b", "a\0\0\0\0\0\0\0", "a\u{1}"],
      // U+10000 and above are surrogates, which come before U+E000.
      ["\u{FFFD}", "\u{10000}", "\u{E000}", "\u{D7FF}", "\u{10FFFF}", "z"],
      ["common prefix \u{EEEE}", "common prefix \u{1F600}", "common prefix \u{EFFF}"],
      ["é", "e\u{301}", "e", "f"],
    ])
  func order(_ keys: [String]) {
    #expect(Self.sorted(keys) == Self.compared(keys))
    #expect(Self.sorted(keys.reversed()) == Self.compared(keys))
  }

  @Test("distributes many keys with beginnings in common", arguments: [100, 1_000, 20_000])
  func many(count: Int) {
    var generator = SystemRandomNumberGenerator()
    let beginnings = [
      "", "k", "com.example.setting.", "設定ファイルの", "🎧🎼", "\u{FB01}", "\0\0\0\0\0\0\0",
    ]
    let keys = Set(
      (0..<count).map { _ in
        beginnings.randomElement(using: &generator)! + beginnings.randomElement(using: &generator)!
          + String(Int.random(in: 0..<count, using: &generator))
      }.map { Array($0.utf8) })
    // A set of strings would treat texts with equal letters as one.
    let texts = keys.map { String(decoding: $0, as: UTF8.self) }
    #expect(Self.sorted(texts) == Self.compared(texts))
  }

  @Test("takes keys that each go on where another one ends")
  func chain() {
    let keys = (0..<2_000).map { String(repeating: "n", count: $0) }
    #expect(Self.sorted(keys.shuffled()) == keys)
  }
}
