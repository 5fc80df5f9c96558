import PropertyList
import Testing

@Suite("Natural order of keys")
struct NaturalSortKeyTests {
  /// Keys in the order of the output of the Swift toolchain's plutil.
  static let sorted = [
    "", " ", "  ", "_", "__", "-a", "1.9", "1.10", "2", "3e", "4", "2345678901234567890124",
    "12345678901234567890123", "a", "A", "a b", "A b", "a_", "a-", "a.b", "a1", "a01", "a001", "a9",
    "a10", "ab", "aB", "Ab", "AB", "ab.", "aC", "ae", "af", "B", "b9", "b09", "B9", "B09", "b9a",
    "b09A", "b10", "e", "f", "ss", "x1y2", "x1Y2", "X01y2", "x1y10", "z", "Z",
  ]

  @Test("is the order of Apple's tools, whatever the order of the document")
  func order() throws {
    let options = PlistWriteOptions.with { $0.keyOrder = .natural }
    for keys in [Self.sorted, Self.sorted.reversed(), Self.sorted.sorted()] {
      let dictionary = PlistDictionary(keys.map { ($0, PlistValue.boolean(true)) })
      let text = try Plist.write(.dictionary(dictionary), as: .json, options: options)
      #expect(try PropertyListTests.keys(of: Plist.read(text).value) == Self.sorted)
    }
  }

  @Test("punctuation precedes digits, and these precede letters")
  func characters() throws {
    let characters = " _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789aAbBzZ\u{E9}\u{4E00}"
    let keys = characters.unicodeScalars.map { "k\($0)" }
    let options = PlistWriteOptions.with { $0.keyOrder = .natural }
    let shuffled = PlistDictionary(keys.reversed().map { ($0, PlistValue.boolean(true)) })
    let text = try Plist.write(.dictionary(shuffled), as: .json, options: options)
    #expect(try PropertyListTests.keys(of: Plist.read(text).value) == keys)
  }
}
