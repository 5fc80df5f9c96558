import TestSupport
import Testing

@testable import PropertyList

@Suite("Words of bytes")
struct WordTests {
  @Test("bytes are ASCII only if all are", arguments: 0..<30)
  func ascii(count: Int) {
    var bytes = [UInt8](repeating: 0x7F, count: count)
    let isASCII = bytes.withUnsafeBytes { $0.isASCII }
    #expect(isASCII)
    for position in bytes.indices {
      bytes[position] = 0x80
      let isASCII = bytes.withUnsafeBytes { $0.isASCII }
      #expect(!isASCII)
      bytes[position] = 0x7F
    }
  }

  @Test("the last bytes are a word with zeros above", arguments: 0..<30)
  func lastWord(count: Int) {
    let bytes = (0..<count).map { UInt8($0 + 1) }
    for rest in 0..<min(8, count + 1) {
      let word = bytes.withUnsafeBytes { $0.lastWord(of: rest) }
      let expected = bytes.suffix(rest).reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
      #expect(word == expected)
    }
  }

  @Test("exact marks are those of the bytes that they are for")
  func exactMarks() {
    var generator = SeededGenerator(seed: 0x3C)
    let bytes: [UInt8] = [0, 1, 0x20, 0x21, 0x3B, 0x3C, 0x3D, 0x7F, 0x80, 0xA0, 0xBC, 0xBD, 0xFF]
    for _ in 0..<10_000 {
      let sample = (0..<8).map { _ in bytes.randomElement(using: &generator) ?? 0 }
      let word = sample.withUnsafeBytes { $0.word(at: 0) }
      let equal = word.exactMarks(of: 0x3C)
      for (position, byte) in sample.enumerated() {
        #expect((equal >> (position * 8) & 0xFF) == (byte == 0x3C ? 0x80 : 0), "\(sample)")
      }
    }
  }
}
