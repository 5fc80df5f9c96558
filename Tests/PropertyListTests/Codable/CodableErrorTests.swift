import Foundation
import PropertyList
import TestSupport
import Testing

@Suite("A coding error")
struct CodableErrorTests {
  // MARK: Encoding

  @Test("names the place of a nil that cannot be encoded")
  func nils() {
    let text = "An array in a property list cannot contain nil."
    #expect(encodingError([1, nil, 2]) == "[Index 1] " + text)
    #expect(encodingError(["a": [[Date?.none]]]) == "[a, Index 0, Index 0] " + text)
    #expect(encodingError([Wrapper<Int?>(nil)]) == "[Index 0] " + text)
    #expect(
      encodingError(
        Encoding { encoder in
          var container = encoder.unkeyedContainer()
          try container.encode(1)
          try container.encodeNil()
        }) == "[Index 1] " + text)
    #expect(
      encodingError(
        Encoding { encoder in
          var container = encoder.unkeyedContainer()
          var single = container.superEncoder().singleValueContainer()
          try single.encodeNil()
        }) == "[Index 0] " + text)
    #expect(encodingError(Int?.none) == "[] The root of a property list cannot be nil.")
  }

  @Test("names the integer that is out of range")
  func integers() {
    let tooLarge = Int128(UInt64.max) + 1
    let text = "is out of range for a property list; expected -2^63 to 2^64-1."
    #expect(encodingError(tooLarge) == "[] The integer \(tooLarge) \(text)")
    #expect(encodingError(["a": [tooLarge]]) == "[a, Index 0] The integer \(tooLarge) \(text)")
    #expect(
      encodingError(Holder(value: UInt128(tooLarge)))
        == "[value] The integer \(tooLarge) \(text)")
    let tooSmall = Int128(Int64.min) - 1
    #expect(encodingError([tooSmall]) == "[Index 0] The integer \(tooSmall) \(text)")
  }

  @Test("names the value that the format cannot hold, with the underlying error")
  func formats() throws {
    let xml = PlistEncoder(outputFormat: .xml)
    #expect(
      encodingError(["a": ["b", "\u{1}"]], encoder: xml)
        == "[a, Index 1] XML cannot represent the character U+0001 (key path a.1)")
    #expect(
      encodingError(Holder(value: ["0": .set([])] as PlistValue), encoder: xml)
        == "[value, 0] XML cannot represent sets (key path value.0)")
    #expect(
      encodingError(1, encoder: PlistEncoder(outputFormat: .openStep))
        == "[] OpenStep text cannot represent integers")
    #expect(
      encodingError([Date(timeIntervalSinceReferenceDate: .nan)])
        == "[Index 0] the date is NaN; expected a point in time (key path 0)")
    let exact = PlistWriteOptions.with { $0.rejectsFractionalSeconds = true }
    #expect(
      encodingError(
        [Date(timeIntervalSinceReferenceDate: 0.5)],
        encoder: PlistEncoder(outputFormat: .xml, options: exact))
        == "[Index 0] XML cannot represent fractions of a second (key path 0)")
    let error = #expect(throws: EncodingError.self) { try xml.encode(["\u{1}"]) }
    guard case .invalidValue(let value, let context)? = error else { return }
    #expect(value as? [String] == ["\u{1}"])
    let underlying = context.underlyingError as? PlistError
    #expect(underlying?.kind == .unrepresentableCharacter(1, .xml))
  }

  // MARK: Decoding

  @Test(
    "names the kinds that were expected and found, a missing value, or an inexact number",
    arguments: UndecodableValue.all)
  func undecodable(value: UndecodableValue) {
    #expect(value.decodingError() == value.error)
  }

  @Test("reports the end of an array")
  func ends() {
    struct Pair: Decodable {
      init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        _ = try container.decode(Int.self)
        _ = try container.decode(Date.self)
      }
    }
    #expect(
      decodingError([Pair].self, [[1]])
        == "no value Date [Index 0, Index 1] The array has no more elements.")
    struct Nil: Decodable {
      init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        _ = try container.decodeNil()
      }
    }
    #expect(
      decodingError(Nil.self, [])
        == "no value Optional<Any> [Index 0] The array has no more elements.")
    struct Nested: Decodable {
      init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        _ = try container.nestedUnkeyedContainer()
      }
    }
    #expect(
      decodingError(Nested.self, [])
        == "no value Array<Any> [Index 0] The array has no more elements.")
  }

  private static let unreadableDocuments: [(String, String)] = [
    ("", "the document is empty; expected a property list"),
    (
      "<plist><date>x</date></plist>",
      "line 1 column 14: the date is malformed; expected YYYY-MM-DDTHH:MM:SSZ"
    ),
    (
      "bplist00",
      "byte 8: the trailer is malformed; the file may be cut off: the file is too short; "
        + "expected a header, objects, an offset table and a trailer"
    ),
  ]

  @Test("locates the defect of an unreadable document", arguments: unreadableDocuments)
  func documents(document: String, text: String) throws {
    var format = PlistFormat.openStep
    let error = #expect(throws: DecodingError.self) {
      try PlistDecoder().decode(Int.self, from: Data(document.utf8), format: &format)
    }
    #expect(format == .openStep)
    guard case .dataCorrupted(let context) = try #require(error) else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(context.debugDescription == text)
    #expect(context.codingPath.isEmpty)
    #expect((context.underlyingError as? PlistError)?.description == text)
  }

  @Test("is the only error of damaged documents", arguments: [PlistFormat.xml, .binary])
  func damage(format: PlistFormat) throws {
    let sample = try PlistEncoder(outputFormat: format).encode([Scalars()])
    var generator = SeededGenerator(seed: 1)
    var errors = 0
    for _ in 0..<500 {
      var damaged = sample
      for _ in 0..<3 {
        damaged[Int.random(in: 0..<damaged.count, using: &generator)] = UInt8.random(
          in: 0...255, using: &generator)
      }
      do {
        _ = try PlistDecoder().decode([Scalars].self, from: damaged)
      } catch is DecodingError {
        errors += 1
      }
    }
    #expect(errors > 250)
  }

  @Test("leaves the element to be decoded as another type")
  func retry() throws {
    struct Either: Decodable {
      var texts: [String] = []

      init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd {
          if let number = try? container.decode(Int.self) {
            texts.append("\(number)")
          } else if let list = try? container.decode([Int].self) {
            texts.append("\(list)")
          } else if (try? container.nestedContainer(keyedBy: TextKey.self)) != nil {
            texts.append("{}")
          } else if try container.decodeNil() {
            texts.append("nil")
          } else {
            texts.append(try container.decode(String.self))
          }
        }
      }
    }
    let texts = try PlistDecoder().decode(Either.self, from: [1, "a", [2, 3], [:], .null, "b"])
      .texts
    #expect(texts == ["1", "a", "[2, 3]", "{}", "nil", "b"])
  }
}
