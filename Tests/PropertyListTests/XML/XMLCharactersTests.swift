import TestSupport
import Testing

@testable import PropertyList

@Suite("Characters that XML allows")
struct XMLCharactersTests {
  /// Returns the first defect of bytes, checked in one piece or in pieces of a length.
  private func defect(_ bytes: [UInt8], pieces length: Int? = nil) -> XMLFailure? {
    bytes.withUnsafeBytes { bytes in
      var characters = XMLCharacters(bytes, from: 0)
      for end in stride(from: 0, to: bytes.count, by: length ?? bytes.count) {
        characters.check(upTo: end)
      }
      characters.check(upTo: bytes.count)
      return characters.defect
    }
  }

  /// The bytes of a number in the form of UTF-8 with a given length, whether or not it is a
  /// character.
  private func sequence(_ number: UInt32, length: Int) -> [UInt8] {
    let marks: [UInt8] = [0, 0, 0xC0, 0xE0, 0xF0]
    return (0..<length).map { index in
      let bits = UInt8(truncatingIfNeeded: number >> UInt32(6 * (length - 1 - index)))
      return index == 0 ? marks[length] | bits : 0x80 | bits & 0x3F
    }
  }

  @Test("all are accepted, at every position and in every piece")
  func allowed() {
    var text = ""
    for value in (1...0x10FFFF as ClosedRange<UInt32>) where value < 0x3000 || value % 97 == 0 {
      if value == 0xFFFE || value == 0xFFFF { continue }
      if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
    }
    text += "\u{D7FF}\u{E000}\u{FFFD}\u{10000}\u{1FFFE}\u{1FFFF}\u{10FFFE}\u{10FFFF}"
    let bytes = Array(text.utf8)
    #expect(defect(bytes) == nil)
    #expect(defect(bytes, pieces: 1) == nil)
    for character in ["é", "日", "😀", "\u{1}"] {
      for before in 0..<20 {
        for after in 0..<20 {
          let text =
            String(repeating: "a", count: before) + character + String(repeating: "b", count: after)
          #expect(defect(Array(text.utf8)) == nil)
        }
      }
    }
  }

  /// Sequences that are not allowed, and why.
  private var refusedSequences: [([UInt8], PlistError.XMLDefect)] {
    let excluded: [(number: UInt32, length: Int)] =
      [(0, 1), (0xFFFE, 3), (0xFFFF, 3), (0xD800, 3), (0xDBFF, 3), (0xDC00, 3), (0xDFFF, 3)]
      + [(0x110000, 4), (0x1FFFFF, 4)]
    let overlong: [(number: UInt32, length: Int)] =
      [(0, 2), (0x41, 2), (0x7F, 2), (0, 3), (0x7FF, 3), (0, 4), (0xFFFF, 4)]
    let malformed: [[UInt8]] = [
      [0x80], [0xBF], [0xC3], [0xC3, 0x41], [0xC3, 0xC3, 0xA9], [0xE6, 0x97], [0xE6, 0x41, 0xA5],
      [0xE6, 0x97, 0x41], [0xF0, 0x9F, 0x98], [0xF0, 0x9F, 0x98, 0x41], [0xF0, 0x9F, 0x41, 0x80],
      [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFC], [0xFE], [0xFF],
    ]
    return excluded.map { (sequence($0.number, length: $0.length), .invalidCharacter) }
      + overlong.map { (sequence($0.number, length: $0.length), .malformedEncoding) }
      + malformed.map { ($0, .malformedEncoding) }
  }

  @Test("what is excluded or malformed is found where it begins, at every position")
  func refused() {
    for (sequence, kind) in refusedSequences {
      for before in 0..<18 {
        for after in [0, 1, 2, 3, 7, 8, 9] {
          let bytes =
            Array(repeating: 0x61, count: before) + sequence + Array(repeating: 0x62, count: after)
          for length in [nil, 1, 3] {
            let failure = defect(bytes, pieces: length)
            #expect(failure?.kind == .notWellFormed(kind), "\(bytes)")
            #expect(failure?.offset == before, "\(bytes)")
          }
        }
      }
    }
  }

  @Test(
    "what is excluded or malformed is found in long text beyond ASCII, too",
    arguments: ["é", "日", "😀", "é日", "日a😀 "])
  func refusedInLongText(unit: String) {
    let long = Array(String(repeating: unit, count: 1000 / unit.utf8.count).utf8)
    #expect(defect(long) == nil)
    for (sequence, kind) in refusedSequences {
      for before in TestScale.share(of: 248..<265, one: 4) {
        // The text before it ends with a character.
        let start = String(decoding: long.prefix(before), as: UTF8.self).prefix { $0 != "\u{FFFD}" }
        for length in [nil, 100, 301] {
          let text = Array(start.utf8) + sequence + Array(unit.utf8) + long
          let failure = defect(text, pieces: length)
          #expect(failure?.kind == .notWellFormed(kind), "\(sequence) behind \(before)")
          #expect(failure?.offset == start.utf8.count, "\(sequence) behind \(before)")
        }
      }
    }
  }

  @Test("all characters are accepted in long text, whatever the length of the pieces")
  func allInLongText() {
    let scalars = (1...0x10FFFF as ClosedRange<UInt32>).lazy.compactMap(Unicode.Scalar.init)
      .filter { $0.value != 0xFFFE && $0.value != 0xFFFF }
    var text = String.UnicodeScalarView()
    for scalar in scalars where scalar.value < 0x1_0000 || scalar.value % 97 < 2 {
      text.append(scalar)
    }
    let bytes = Array(String(text).utf8)
    for length in [nil, 1, 300, 4000] { #expect(defect(bytes, pieces: length) == nil) }
    // From a character of three bytes on.
    let start = 0x7F + 0x780 * 2 + 9000 * 3
    for end in start + 500..<start + 1500 {
      let part = Array(bytes[start..<end])
      #expect((defect(part) == nil) == (String(validating: part, as: UTF8.self) != nil))
    }
  }

  @Test("every pair of bytes is judged as the standard library judges it")
  func pairs() {
    for first in 1...0xFF as ClosedRange<UInt8> {
      for second in 1...0xFF as ClosedRange<UInt8> {
        let isValid = String(validating: [first, second], as: UTF8.self) != nil
        #expect((defect([first, second]) == nil) == isValid, "\(first) \(second)")
      }
    }
  }
}
