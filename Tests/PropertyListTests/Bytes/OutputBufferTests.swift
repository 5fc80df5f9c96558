import Foundation
import Testing

@testable import PropertyList

@Suite("The output buffer")
struct OutputBufferTests {
  @Test("grows at any position", arguments: 4060..<4140)
  func growth(start: Int) {
    var output = OutputBuffer()
    output.append(repeating: 1, count: start)
    output.append(bigEndian: 0x0102_0304, size: 4)
    output.append(bigEndian: 0x05, size: 16)
    output.append(decimal: .max)
    output.append(littleEndian: 0x0403_0201, size: 4)
    output.append("text")
    output.append(2)
    var expected = [UInt8](repeating: 1, count: start)
    expected += [1, 2, 3, 4] + BinaryAssembly.bigEndian(5, size: 16)
    expected += Array("18446744073709551615".utf8) + [1, 2, 3, 4]
    expected += Array("text".utf8) + [2]
    #expect(Array(output.data()) == expected)
  }

  @Test("writes integers of every size", arguments: 1...8)
  func integers(size: Int) {
    var output = OutputBuffer()
    output.append(bigEndian: 0xF1F2_F3F4_F5F6_F7F8, size: size)
    #expect(Array(output.bytes) == (1...8).suffix(size).map { 0xF0 + $0 })
  }

  @Test("writes decimal digits", arguments: [0, 9, 10, 99, 100, 12345, 1 << 32, .max] as [UInt64])
  func digits(number: UInt64) {
    var output = OutputBuffer()
    output.append(decimal: number)
    #expect(String(decoding: output.bytes, as: UTF8.self) == String(number))
  }

  @Test("truncates what was appended")
  func truncation() {
    var output = OutputBuffer()
    output.append("some text")
    output.truncate(to: 5)
    output.append("bytes")
    #expect(String(decoding: output.data(), as: UTF8.self) == "some bytes")
  }

  @Test("appends its bytes again with others in between", arguments: [0, 1, 4_000, 10_000])
  func rewinding(count: Int) {
    var output = OutputBuffer()
    output.append(repeating: 1, count: count)
    output.append("middle")
    output.append(repeating: 2, count: count)
    let moved = output.rewind(movingBytesTo: 2 * count + 18, capacity: 2 * count + 27)
    output.append("new")
    output.appendMoved(moved.prefix(count + 6))
    output.append(bigEndian: 0x05, size: 1)
    output.append(bigEndian: 0x06, size: 8)
    output.appendMoved(moved.dropFirst(count + 6))
    output.append("then end")
    output.append(3)
    let ones = [UInt8](repeating: 1, count: count)
    let twos = [UInt8](repeating: 2, count: count)
    let expected =
      Array("new".utf8) + ones + Array("middle".utf8) + [5, 0, 0, 0, 0, 0, 0, 0, 6] + twos
      + Array("then end".utf8) + [3]
    #expect(Array(output.data()) == expected)
  }
}
