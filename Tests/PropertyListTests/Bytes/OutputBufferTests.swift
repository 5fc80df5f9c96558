import Foundation
import Testing

@testable import PropertyList

@Suite("The output buffer")
struct OutputBufferTests {
  @Test("grows wherever an append begins", arguments: 4060..<4140)
  func growth(start: Int) {
    var output = OutputBuffer()
    output.append(repeating: 1, count: start)
    output.append(bigEndian: 0x0102_0304, size: 4)
    output.append(bigEndian: 0x05, size: 16)
    output.append(decimal: .max)
    output.append(fourBytes: 0x0403_0201)
    output.append("text")
    output.append(2)
    var expected = [UInt8](repeating: 1, count: start)
    expected += [1, 2, 3, 4] + BinaryAssembly.bigEndian(5, size: 16)
    expected += Array("18446744073709551615".utf8) + [1, 2, 3, 4]
    expected += Array("text".utf8) + [2]
    #expect(Array(output.data()) == expected)
  }

  @Test("writes numbers of every size")
  func numbers() {
    for size in 1...8 {
      var output = OutputBuffer()
      output.append(bigEndian: 0xF1F2_F3F4_F5F6_F7F8, size: size)
      #expect(Array(output.bytes) == (1...8).suffix(size).map { 0xF0 + $0 })
    }
    for number: UInt64 in [0, 9, 10, 99, 100, 12345, 1 << 32, .max] {
      var output = OutputBuffer()
      output.append(decimal: number)
      #expect(String(decoding: output.bytes, as: UTF8.self) == String(number))
    }
  }

  @Test("takes back what was appended")
  func truncation() {
    var output = OutputBuffer()
    output.append("some text")
    output.truncate(to: 5)
    output.append("bytes")
    #expect(String(decoding: output.data(), as: UTF8.self) == "some bytes")
  }

  @Test("bytes are taken for ASCII only where all are, and words for what they hold")
  func words() {
    for count in 0..<30 {
      var bytes = [UInt8](repeating: 0x7F, count: count)
      let isASCII = bytes.withUnsafeBytes { $0.isASCII }
      #expect(isASCII)
      for position in bytes.indices {
        bytes[position] = 0x80
        let isASCII = bytes.withUnsafeBytes { $0.isASCII }
        #expect(!isASCII)
        bytes[position] = 0x7F
      }
      let counted = (0..<count).map { UInt8($0 + 1) }
      for rest in 0..<min(8, count + 1) {
        let word = counted.withUnsafeBytes { $0.lastWord(of: rest) }
        let expected = counted.suffix(rest).reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        #expect(word == expected)
      }
    }
  }
}
