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
}
