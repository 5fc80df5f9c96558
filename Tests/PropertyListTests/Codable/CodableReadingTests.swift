import Foundation
import PropertyList
import Testing

@Suite("A decoder")
struct CodableReadingTests {
  /// The media that can hold null and sets.
  private static let mediaWithNull: [CodingMedium] = [.value, .binary]

  @Test(
    "converts integers and reals of the same value", arguments: CodingMedium.allCases)
  func numbers(medium: CodingMedium) throws {
    #expect(try medium.decode([Int].self, from: [3.0, -0.0, .float(-7)]) == [3, 0, -7])
    #expect(try medium.decode(UInt64.self, from: .real(0x1p63)) == 1 << 63)
    #expect(
      try medium.decode([Double].self, from: [1, .unsignedInteger(1 << 63), .float(0.5)]) == [
        1, 0x1p63, 0.5,
      ])
    #expect(
      try medium.decode([Float].self, from: [1, .unsignedInteger(1 << 63), 0.5]) == [
        1, 0x1p63, 0.5,
      ])
    #expect(try medium.decode(Int128.self, from: .unsignedInteger(.max)) == Int128(UInt64.max))
  }

  @Test("rounds a real to a Float, and keeps infinities", arguments: CodingMedium.allCases)
  func floats(medium: CodingMedium) throws {
    #expect(try medium.decode([Float].self, from: [0.1, 1e-300]) == [0.1, 0])
    #expect(
      try medium.decode([Float].self, from: [.real(.infinity), .real(-.infinity)]) == [
        .infinity, -.infinity,
      ])
    #expect(try medium.decode(Float.self, from: .real(.nan)).isNaN)
  }

  @Test("decodes null and missing keys as nil, but $null as a string", arguments: mediaWithNull)
  func nils(medium: CodingMedium) throws {
    #expect(try medium.decode(Int?.self, from: .null) == nil)
    #expect(try medium.decode([Int?].self, from: [1, .null]) == [1, nil])
    #expect(
      try medium.decode(Optionals.self, from: ["number": .null, "text": "$null"])
        == Optionals(text: "$null"))
    #expect(try medium.decode(Holder<Int?>.self, from: ["value": .null]) == Holder(value: nil))
    #expect(
      decodingError([Int?].self, ["$null"])
        == "mismatch Int [Index 0] Expected an integer but found a string.")
  }

  @Test("decodes the string $null as nil on request", arguments: CodingMedium.allCases)
  func nullText(medium: CodingMedium) throws {
    var decoder = PlistDecoder()
    decoder.readsNullText = true
    #expect(try medium.decode([Int?].self, from: [1, "$null"], decoder: decoder) == [1, nil])
    #expect(
      try medium.decode([String?].self, from: ["$null", "null"], decoder: decoder) == [nil, "null"])
    #expect(
      try medium.decode(Optionals.self, from: ["number": "$null"], decoder: decoder) == Optionals())
    #expect(
      try medium.decode(Holder<Int?>.self, from: ["value": "$null"], decoder: decoder)
        == Holder(value: nil))
    #expect(try medium.decode([String].self, from: ["$null"], decoder: decoder) == ["$null"])
  }

  @Test("reports whether a key has a value", arguments: mediaWithNull)
  func keys(medium: CodingMedium) throws {
    struct Keys: Decodable {
      var all: [String]
      var results: [Bool]

      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: TextKey.self)
        all = container.allKeys.map(\.stringValue)
        results = try ["a", "null", "none"].flatMap { key in
          [container.contains(key), try container.decodeNil(forKey: key)]
        }
      }
    }
    let keys = try medium.decode(Keys.self, from: ["null": .null, "a": 1])
    #expect(keys.all == ["null", "a"])
    #expect(keys.results == [true, false, true, true, false, true])
  }

  @Test("reads nested containers and superclasses", arguments: CodingMedium.allCases)
  func nested(medium: CodingMedium) throws {
    struct Nested: Decodable {
      var numbers: [Int] = []
      var paths: [String] = []

      init(from decoder: any Decoder) throws {
        let root = try decoder.container(keyedBy: TextKey.self)
        let map = try root.nestedContainer(keyedBy: TextKey.self, forKey: "map")
        numbers.append(try map.decode(Int.self, forKey: "one"))
        var list = try root.nestedUnkeyedContainer(forKey: "list")
        #expect(list.count == 3)
        let inner = try list.nestedContainer(keyedBy: TextKey.self)
        numbers.append(try inner.decode(Int.self, forKey: "two"))
        var innermost = try list.nestedUnkeyedContainer()
        numbers.append(try innermost.decode(Int.self))
        let parent = try list.superDecoder()
        numbers.append(try parent.singleValueContainer().decode(Int.self))
        #expect(list.isAtEnd)
        let other = try root.superDecoder(forKey: "other")
        numbers.append(try other.singleValueContainer().decode(Int.self))
        for path in [
          map.codingPath, inner.codingPath, innermost.codingPath, parent.codingPath,
          other.codingPath,
        ] {
          paths.append(path.map(\.stringValue).joined(separator: "/"))
        }
      }
    }
    let nested = try medium.decode(
      Nested.self, from: ["map": ["one": 1], "list": [["two": 2], [3], 4], "other": 5])
    #expect(nested.numbers == [1, 2, 3, 4, 5])
    #expect(nested.paths == ["map", "list/Index 0", "list/Index 1", "list/Index 2", "other"])
  }

  @Test("reads sets as arrays, and URLs from strings", arguments: mediaWithNull)
  func lenient(medium: CodingMedium) throws {
    #expect(try medium.decode([Int].self, from: .set([1, 2])) == [1, 2])
    #expect(try medium.decode(Set<String>.self, from: .set(["a", "b"])) == ["a", "b"])
    #expect(
      try medium.decode([URL].self, from: ["https://example.org/a"]) == [
        URL(string: "https://example.org/a")!
      ])
    #expect(try medium.decode(Optionals.self, from: ["url": "a:b"]).url == URL(string: "a:b"))
  }

  @Test("reads OpenStep text and reports the format")
  func openStep() throws {
    var format = PlistFormat.binary
    let document = Data("{ a = (b, \"c d\"); e = (); }".utf8)
    let value = try PlistDecoder().decode([String: [String]].self, from: document, format: &format)
    #expect(value == ["a": ["b", "c d"], "e": []])
    #expect(format == .openStep)
  }

  @Test("follows its options")
  func options() throws {
    let options = PlistReadOptions.with { $0.allowsTypedValues = true }
    #expect(
      try PlistDecoder(options: options).decode([Int].self, from: Data("(<*I5>)".utf8)) == [5])
  }
}
