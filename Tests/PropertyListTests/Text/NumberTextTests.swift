import Foundation
import TestSupport
import Testing

@testable import PropertyList

@Suite("Scalars in bytes")
struct NumberTextTests {
  @Test("a decimal number is the double that the standard library takes for the nearest")
  func nearest() throws {
    var generator = SeededGenerator(seed: 0xDEC1)
    for _ in 0..<100_000 {
      let digits = String(generator.next() >> UInt64.random(in: 0..<64, using: &generator))
      let point = Int.random(in: 0...digits.count, using: &generator)
      var text = digits.prefix(point) + "." + digits.dropFirst(point)
      if Bool.random(using: &generator) {
        text += "e\(Int.random(in: -30...30, using: &generator))"
      }
      let expected = try #require(Double(String(text)))
      var isUnderflow = false
      try #require(
        try NumberText.real(text.utf8, underflow: &isUnderflow).bitPattern == expected.bitPattern,
        "\(text)")
      #expect(!isUnderflow)
    }
  }

  @Test(
    "numbers in the middle between two doubles go to the even one",
    arguments: [
      "9007199254740993", "9007199254740995", "900719925474099.3", "4503599627370496.5",
      "4503599627370497.5", "450359962737049.75", "9007199254740992.5", "0.500000000000000055",
      "0.99999999999999994", "0.999999999999999944", "0.999999999999999945", "1.00000000000000011",
      "100000000000000000", "99999999999999999.9", "999999999999999999", "1e22", "1e23", "-0.0",
      "-0",
      "0e999999999999999999999", "1e-999999999999999999999", "00000000000000000000000000001.5",
      "0.000000000000000000000000000001", "1.00000000000000000000000000000",
    ])
  func middle(text: String) throws {
    let expected = try #require(Double(text))
    var isUnderflow = false
    #expect(
      try NumberText.real(Array(text.utf8), underflow: &isUnderflow).bitPattern
        == expected.bitPattern)
    #expect(isUnderflow == (expected == 0 && text.hasPrefix("1")))
  }

  @Test("base64 of every length reads back, in lines and broken anywhere")
  func base64() throws {
    for count in 0..<70 {
      let bytes = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ count) })
      var output = OutputBuffer()
      bytes.withUnsafeBytes { Base64.encode($0, to: &output) }
      let text = Array(output.data())
      #expect(String(decoding: text, as: UTF8.self) == bytes.base64EncodedString())
      for position in 0...text.count {
        let broken = text[..<position] + Array("\n\t ".utf8) + text[position...]
        let decoded = Array(broken).withUnsafeBytes { Base64.decode($0) }
        try #require(decoded == bytes)
        for wrong in ["*", "\u{0}", "-", "é"] {
          let spoilt = Array(text[..<position] + Array(wrong.utf8) + text[position...])
          let decoded = spoilt.withUnsafeBytes { Base64.decode($0) }
          try #require(decoded == nil)
        }
      }
    }
  }
}
