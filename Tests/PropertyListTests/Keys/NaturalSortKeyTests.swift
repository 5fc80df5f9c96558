import PropertyList
import Testing

@Suite("Natural order of keys")
struct NaturalSortKeyTests {
  /// Keys in the order in which the plutil of the Swift toolchain prints them.
  static let sorted = [
    "", " ", "  ", "_", "__", "-a", "1.9", "1.10", "2", "3e", "4", "2345678901234567890124",
    "12345678901234567890123", "a", "A", "a b", "A b", "a_", "a-", "a.b", "a1", "a01", "a001", "a9",
    "a10", "ab", "aB", "Ab", "AB", "ab.", "aC", "ae", "af", "B", "b9", "b09", "B9", "B09", "b9a",
    "b09A", "b10", "e", "f", "ss", "x1y2", "x1Y2", "X01y2", "x1y10", "z", "Z",
  ]

  @Test("is the order of Apple's tools, whatever the order of the document")
  func order() throws {
    var options = PlistWriteOptions()
    options.keyOrder = .natural
    for keys in [Self.sorted, Self.sorted.reversed(), Self.sorted.sorted()] {
      let dictionary = PlistDictionary(keys.map { ($0, PlistValue.boolean(true)) })
      let text = try Plist.write(.dictionary(dictionary), as: .json, options: options)
      guard case .dictionary(let written) = try Plist.read(text).value else {
        Issue.record("no dictionary")
        return
      }
      #expect(Array(written.keys) == Self.sorted)
    }
  }

  @Test("punctuation precedes digits, and these precede letters")
  func characters() throws {
    let characters = " _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789aAbBzZ\u{E9}\u{4E00}"
    let keys = characters.unicodeScalars.map { "k\($0)" }
    var options = PlistWriteOptions()
    options.keyOrder = .natural
    let shuffled = PlistDictionary(keys.reversed().map { ($0, PlistValue.boolean(true)) })
    let text = try Plist.write(.dictionary(shuffled), as: .json, options: options)
    guard case .dictionary(let written) = try Plist.read(text).value else {
      Issue.record("no dictionary")
      return
    }
    #expect(Array(written.keys) == keys)
  }
}
