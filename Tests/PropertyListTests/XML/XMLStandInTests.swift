import Foundation
import Testing

@testable import PropertyList

@Suite("The stand-in of a document that libxml2 reads")
struct XMLStandInTests {
  /// Returns the stand-in of bytes.
  private func standIn(_ bytes: [UInt8]) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: bytes.count)
    bytes.withUnsafeBytes { source in
      result.withUnsafeMutableBytes { target in
        guard let base = target.baseAddress else { return }
        let (isASCII, hasControlCharacters) = XMLStandIn.copy(source, to: base)
        #expect(isASCII == bytes.allSatisfy { 0x01..<0x80 ~= $0 })
        #expect(
          hasControlCharacters == bytes.contains { $0 < 0x20 && ![0x09, 0x0A, 0x0D].contains($0) })
      }
    }
    return result
  }

  @Test("each byte becomes what the table says, wherever it stands")
  func everyByte() {
    for byte in UInt8.min...UInt8.max {
      let expected: UInt8 =
        switch byte {
        case 0x09, 0x0A: byte
        case 0x0D: UInt8(ascii: " ")
        case UInt8(ascii: "&"), ..<0x20: UInt8(ascii: "~")
        case 0x80...: UInt8(ascii: "x")
        default: byte
        }
      for position in 0..<40 {
        var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: 40)
        bytes[position] = byte
        var result = bytes
        result[position] = expected
        #expect(standIn(bytes) == result, "byte \(byte) at \(position)")
      }
    }
  }

  @Test("it has the length of the document and nothing but ASCII without references")
  func asciiOfTheSameLength() {
    let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 37) }
    for length in 0...100 {
      let result = standIn(Array(bytes.dropFirst(length * 7).prefix(length)))
      #expect(result.count == length)
      #expect(
        result.allSatisfy {
          (0x20..<0x80 ~= $0 || $0 == 0x09 || $0 == 0x0A) && $0 != UInt8(ascii: "&")
        })
    }
  }

  @Test("markup stays as it is")
  func markup() {
    let markup = "<?xml version='1.0'?><!-- c --><a b=\"c\"/>\n\t<![CDATA[d]]></e>"
    #expect(standIn(Array(markup.utf8)) == Array(markup.utf8))
    #expect(
      standIn(Array("<größe>&lt;\r\n\u{1}😀</größe>".utf8))
        == Array("<grxxxxe>~lt; \n~xxxx</grxxxxe>".utf8))
  }
}
