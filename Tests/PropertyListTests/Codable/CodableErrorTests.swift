import Foundation
import PropertyList
import TestSupport
import Testing

@Suite("An error of coding")
struct CodableErrorTests {
  // MARK: Encoding

  @Test("says where nil cannot be encoded")
  func nils() {
    let text = "An array of a property list cannot hold nil."
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

  @Test("says which integer is out of range")
  func integers() {
    let tooLarge = Int128(UInt64.max) + 1
    let text = "is out of the range of a property list, -2^63 to 2^64-1."
    #expect(encodingError(tooLarge) == "[] The integer \(tooLarge) \(text)")
    #expect(encodingError(["a": [tooLarge]]) == "[a, Index 0] The integer \(tooLarge) \(text)")
    #expect(
      encodingError(Holder(value: UInt128(tooLarge)))
        == "[value] The integer \(tooLarge) \(text)")
    let tooSmall = Int128(Int64.min) - 1
    #expect(encodingError([tooSmall]) == "[Index 0] The integer \(tooSmall) \(text)")
  }

  @Test("says what the format cannot hold, and keeps the reason")
  func formats() throws {
    let xml = PlistEncoder(outputFormat: .xml)
    #expect(
      encodingError(["a": ["b", "\u{1}"]], encoder: xml)
        == "[a, Index 1] XML cannot hold the character U+0001 (key path a.1)")
    #expect(
      encodingError(Holder(value: ["0": .set([])] as PlistValue), encoder: xml)
        == "[value, 0] XML cannot hold a set (key path value.0)")
    #expect(
      encodingError(1, encoder: PlistEncoder(outputFormat: .openStep))
        == "[] OpenStep text cannot hold an integer")
    #expect(
      encodingError([Date(timeIntervalSinceReferenceDate: .nan)])
        == "[Index 0] the date is NaN; expected a point in time (key path 0)")
    var exact = PlistWriteOptions()
    exact.rejectsFractionalSeconds = true
    #expect(
      encodingError(
        [Date(timeIntervalSinceReferenceDate: 0.5)],
        encoder: PlistEncoder(outputFormat: .xml, options: exact))
        == "[Index 0] XML stores whole seconds; the date has a fractional second (key path 0)")
    let error = #expect(throws: EncodingError.self) { try xml.encode(["\u{1}"]) }
    guard case .invalidValue(let value, let context)? = error else { return }
    #expect(value as? [String] == ["\u{1}"])
    let underlying = context.underlyingError as? PlistError
    #expect(underlying?.kind == .unrepresentableCharacter(1, .xml))
  }

  // MARK: Decoding

  @Test("says which kind was expected and which was found")
  func kinds() {
    let mismatches: [(String?, String)] = [
      (decodingError(Int.self, "a"), "Int [] Expected an integer but found a string."),
      (
        decodingError([Int8].self, [1, true]),
        "Int8 [Index 1] Expected an integer but found a boolean."
      ),
      (
        decodingError([String: String].self, ["a": 1]),
        "String [a] Expected a string but found an integer."
      ),
      (decodingError([Bool].self, [1]), "Bool [Index 0] Expected a boolean but found an integer."),
      (decodingError([Double].self, ["1"]), "Double [Index 0] Expected a real but found a string."),
      (decodingError(Float.self, [:]), "Float [] Expected a real but found a dictionary."),
      (decodingError([Date].self, [1.5]), "Date [Index 0] Expected a date but found a real."),
      (decodingError([Data].self, [[]]), "Data [Index 0] Expected data but found an array."),
      (
        decodingError([UUID].self, [.uid(1)]), "String [Index 0] Expected a string but found a UID."
      ),
      (
        decodingError(Holder<Int>.self, .data(Data())),
        "Dictionary<String, Any> [] Expected a dictionary but found data."
      ),
      (
        decodingError([[Int]].self, [.date(.distantPast)]),
        "Array<Any> [Index 0] Expected an array but found a date."
      ),
      (
        decodingError([URL].self, [1]),
        "Dictionary<String, Any> [Index 0] Expected a dictionary but found an integer."
      ),
      (
        decodingError([PlistDictionary].self, [.set([])]),
        "PlistDictionary [Index 0] Expected a dictionary but found a set."
      ),
    ]
    for (error, text) in mismatches { #expect(error == "mismatch " + text) }
  }

  @Test("says where there is no value")
  func missing() {
    let missing: [(String?, String)] = [
      (
        decodingError([Int].self, [.null]),
        "value Int [Index 0] Expected an integer but found null."
      ),
      (
        decodingError([[Int]].self, [.null]),
        "value Array<Any> [Index 0] Expected an array but found null."
      ),
      (decodingError([Date].self, [.null]), "value Date [Index 0] Expected a date but found null."),
      (decodingError(Holder<Int>.self, [:]), "key value [] The dictionary has no key \"value\"."),
      (
        decodingError([Holder<Date>].self, [["value": .date(.distantPast)], [:]]),
        "key value [Index 1] The dictionary has no key \"value\"."
      ),
      (
        decodingError(Holder<Holder<Int>>.self, ["value": [:]]),
        "key value [value] The dictionary has no key \"value\"."
      ),
      (
        decodingError(Holder<PlistValue>.self, [:]),
        "key value [] The dictionary has no key \"value\"."
      ),
      (
        decodingError(Dog.self, ["tricks": []]),
        "value Dictionary<String, Any> [super] Expected a dictionary but found null."
      ),
    ]
    for (error, text) in missing { #expect(error == "no " + text) }
  }

  @Test("says that an array has ended")
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

  @Test("says which number a type cannot hold")
  func numbers() {
    let corrupted: [(String?, String)] = [
      (decodingError(Int8.self, 300), "[] Int8 cannot hold the integer 300 exactly."),
      (decodingError([UInt].self, [-1]), "[Index 0] UInt cannot hold the integer -1 exactly."),
      (
        decodingError(Holder<Int>.self, ["value": .unsignedInteger(.max)]),
        "[value] Int cannot hold the integer 18446744073709551615 exactly."
      ),
      (decodingError(Int.self, 3.5), "[] Int cannot hold the real 3.5 exactly."),
      (decodingError(Int.self, .real(.nan)), "[] Int cannot hold the real nan exactly."),
      (decodingError(Int.self, .float(.infinity)), "[] Int cannot hold the real inf exactly."),
      (decodingError(UInt8.self, 256.0), "[] UInt8 cannot hold the real 256.0 exactly."),
      (decodingError(UInt128.self, -1), "[] UInt128 cannot hold the integer -1 exactly."),
      (
        decodingError([Double].self, [9_007_199_254_740_993]),
        "[Index 0] Double cannot hold the integer 9007199254740993 exactly."
      ),
      (
        decodingError(Float.self, 16_777_217),
        "[] Float cannot hold the integer 16777217 exactly."
      ),
      (decodingError(Float.self, 1e300), "[] The real 1e+300 is out of the range of Float."),
      (decodingError(Float.self, -1e39), "[] The real -1e+39 is out of the range of Float."),
      (decodingError([URL].self, ["http://[a"]), "[Index 0] The string is not a URL."),
    ]
    for (error, text) in corrupted { #expect(error == "corrupted " + text) }
  }

  @Test("has the place in a document that cannot be read, and keeps the reason")
  func documents() {
    let documents: [(String, String)] = [
      ("", "the document is empty; expected a property list"),
      (
        "<plist><date>x</date></plist>",
        "line 1 column 14: the date is malformed; expected YYYY-MM-DDTHH:MM:SSZ"
      ),
      (
        "bplist00",
        "byte 8: the trailer is malformed: the file is too short; "
          + "expected a header, an object, a table and a trailer"
      ),
    ]
    for (document, text) in documents {
      var format = PlistFormat.openStep
      let error = #expect(throws: DecodingError.self) {
        try PlistDecoder().decode(Int.self, from: Data(document.utf8), format: &format)
      }
      #expect(format == .openStep)
      guard case .dataCorrupted(let context)? = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(context.debugDescription == text)
      #expect(context.codingPath.isEmpty)
      #expect((context.underlyingError as? PlistError)?.description == text)
    }
  }

  @Test("is all that damaged documents give", arguments: [PlistFormat.xml, .binary])
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

  @Test("leaves the element to be decoded in another way")
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
