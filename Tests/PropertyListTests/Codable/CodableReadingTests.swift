import Foundation
import PropertyList
import Testing

@Suite("A decoder")
struct CodableReadingTests {
  private func decode<T: Decodable>(_ type: T.Type, _ value: PlistValue) throws -> T {
    try PlistDecoder().decode(type, from: value)
  }

  @Test("reads numbers of the other kind that have the same value")
  func numbers() throws {
    #expect(try decode([Int].self, [3.0, -0.0, .float(-7)]) == [3, 0, -7])
    #expect(try decode(UInt64.self, .real(0x1p63)) == 1 << 63)
    #expect(
      try decode([Double].self, [1, .unsignedInteger(1 << 63), .float(0.5)]) == [1, 0x1p63, 0.5])
    #expect(try decode([Float].self, [1, .unsignedInteger(1 << 63), 0.5]) == [1, 0x1p63, 0.5])
    #expect(try decode(Int128.self, .unsignedInteger(.max)) == Int128(UInt64.max))
  }

  @Test("rounds a real to a Float, and keeps infinities")
  func floats() throws {
    #expect(try decode([Float].self, [0.1, 1e-300]) == [0.1, 0])
    #expect(
      try decode([Float].self, [.real(.infinity), .real(-.infinity)]) == [.infinity, -.infinity])
    #expect(try decode(Float.self, .real(.nan)).isNaN)
  }

  @Test("takes null and missing keys for nil, but $null for a string")
  func nils() throws {
    #expect(try decode(Int?.self, .null) == nil)
    #expect(try decode([Int?].self, [1, .null]) == [1, nil])
    #expect(
      try decode(Optionals.self, ["number": .null, "text": "$null"]) == Optionals(text: "$null"))
    #expect(try decode(Holder<Int?>.self, ["value": .null]) == Holder(value: nil))
    #expect(
      decodingError([Int?].self, ["$null"])
        == "mismatch Int [Index 0] Expected an integer but found a string.")
  }

  @Test("takes the string $null for nil when told so")
  func nullText() throws {
    var decoder = PlistDecoder()
    decoder.readsNullText = true
    #expect(try decoder.decode([Int?].self, from: [1, "$null"]) == [1, nil])
    #expect(try decoder.decode([String?].self, from: ["$null", "null"]) == [nil, "null"])
    #expect(try decoder.decode(Optionals.self, from: ["number": "$null"]) == Optionals())
    #expect(try decoder.decode(Holder<Int?>.self, from: ["value": "$null"]) == Holder(value: nil))
    #expect(try decoder.decode([String].self, from: ["$null"]) == ["$null"])
  }

  @Test("finds whether a key has a value")
  func keys() throws {
    struct Keys: Decodable {
      var all: [String]
      var facts: [Bool]

      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: TextKey.self)
        all = container.allKeys.map(\.stringValue)
        facts = try ["a", "null", "none"].flatMap { key in
          [container.contains(key), try container.decodeNil(forKey: key)]
        }
      }
    }
    let keys = try decode(Keys.self, ["null": .null, "a": 1])
    #expect(keys.all == ["null", "a"])
    #expect(keys.facts == [true, false, true, true, false, true])
  }

  @Test("reads nested containers and what superclasses left")
  func nested() throws {
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
    let nested = try decode(
      Nested.self, ["map": ["one": 1], "list": [["two": 2], [3], 4], "other": 5])
    #expect(nested.numbers == [1, 2, 3, 4, 5])
    #expect(nested.paths == ["map", "list/Index 0", "list/Index 1", "list/Index 2", "other"])
  }

  @Test("reads sets as arrays, and URLs that are stored as strings")
  func liberal() throws {
    #expect(try decode([Int].self, .set([1, 2])) == [1, 2])
    #expect(try decode(Set<String>.self, .set(["a", "b"])) == ["a", "b"])
    #expect(
      try decode([URL].self, ["https://example.org/a"]) == [URL(string: "https://example.org/a")!])
    #expect(try decode(Optionals.self, ["url": "a:b"]).url == URL(string: "a:b"))
  }

  @Test("reads OpenStep text and says which format it was")
  func openStep() throws {
    var format = PlistFormat.binary
    let document = Data("{ a = (b, \"c d\"); e = (); }".utf8)
    let value = try PlistDecoder().decode([String: [String]].self, from: document, format: &format)
    #expect(value == ["a": ["b", "c d"], "e": []])
    #expect(format == .openStep)
  }

  @Test("reads by its options")
  func options() throws {
    var options = PlistReadOptions()
    options.typedValues = true
    #expect(
      try PlistDecoder(options: options).decode([Int].self, from: Data("(<*I5>)".utf8)) == [5])
  }
}
