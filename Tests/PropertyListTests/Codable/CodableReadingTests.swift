import Foundation
import PropertyList
import Testing

@Suite("A decoder")
struct CodableReadingTests {
  /// The ways that can hold null and sets.
  private static let waysOfNull: [CodingWay] = [.value, .binary]

  @Test("reads numbers of the other kind that have the same value", arguments: CodingWay.allCases)
  func numbers(way: CodingWay) throws {
    #expect(try way.decode([Int].self, from: [3.0, -0.0, .float(-7)]) == [3, 0, -7])
    #expect(try way.decode(UInt64.self, from: .real(0x1p63)) == 1 << 63)
    #expect(
      try way.decode([Double].self, from: [1, .unsignedInteger(1 << 63), .float(0.5)]) == [
        1, 0x1p63, 0.5,
      ])
    #expect(
      try way.decode([Float].self, from: [1, .unsignedInteger(1 << 63), 0.5]) == [1, 0x1p63, 0.5])
    #expect(try way.decode(Int128.self, from: .unsignedInteger(.max)) == Int128(UInt64.max))
  }

  @Test("rounds a real to a Float, and keeps infinities", arguments: CodingWay.allCases)
  func floats(way: CodingWay) throws {
    #expect(try way.decode([Float].self, from: [0.1, 1e-300]) == [0.1, 0])
    #expect(
      try way.decode([Float].self, from: [.real(.infinity), .real(-.infinity)]) == [
        .infinity, -.infinity,
      ])
    #expect(try way.decode(Float.self, from: .real(.nan)).isNaN)
  }

  @Test("takes null and missing keys for nil, but $null for a string", arguments: waysOfNull)
  func nils(way: CodingWay) throws {
    #expect(try way.decode(Int?.self, from: .null) == nil)
    #expect(try way.decode([Int?].self, from: [1, .null]) == [1, nil])
    #expect(
      try way.decode(Optionals.self, from: ["number": .null, "text": "$null"])
        == Optionals(text: "$null"))
    #expect(try way.decode(Holder<Int?>.self, from: ["value": .null]) == Holder(value: nil))
    #expect(
      decodingError([Int?].self, ["$null"])
        == "mismatch Int [Index 0] Expected an integer but found a string.")
  }

  @Test("takes the string $null for nil when told so", arguments: CodingWay.allCases)
  func nullText(way: CodingWay) throws {
    var decoder = PlistDecoder()
    decoder.readsNullText = true
    #expect(try way.decode([Int?].self, from: [1, "$null"], decoder: decoder) == [1, nil])
    #expect(
      try way.decode([String?].self, from: ["$null", "null"], decoder: decoder) == [nil, "null"])
    #expect(
      try way.decode(Optionals.self, from: ["number": "$null"], decoder: decoder) == Optionals())
    #expect(
      try way.decode(Holder<Int?>.self, from: ["value": "$null"], decoder: decoder)
        == Holder(value: nil))
    #expect(try way.decode([String].self, from: ["$null"], decoder: decoder) == ["$null"])
  }

  @Test("finds whether a key has a value", arguments: waysOfNull)
  func keys(way: CodingWay) throws {
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
    let keys = try way.decode(Keys.self, from: ["null": .null, "a": 1])
    #expect(keys.all == ["null", "a"])
    #expect(keys.facts == [true, false, true, true, false, true])
  }

  @Test("reads nested containers and what superclasses left", arguments: CodingWay.allCases)
  func nested(way: CodingWay) throws {
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
    let nested = try way.decode(
      Nested.self, from: ["map": ["one": 1], "list": [["two": 2], [3], 4], "other": 5])
    #expect(nested.numbers == [1, 2, 3, 4, 5])
    #expect(nested.paths == ["map", "list/Index 0", "list/Index 1", "list/Index 2", "other"])
  }

  @Test("reads sets as arrays, and URLs that are stored as strings", arguments: waysOfNull)
  func liberal(way: CodingWay) throws {
    #expect(try way.decode([Int].self, from: .set([1, 2])) == [1, 2])
    #expect(try way.decode(Set<String>.self, from: .set(["a", "b"])) == ["a", "b"])
    #expect(
      try way.decode([URL].self, from: ["https://example.org/a"]) == [
        URL(string: "https://example.org/a")!
      ])
    #expect(try way.decode(Optionals.self, from: ["url": "a:b"]).url == URL(string: "a:b"))
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
    options.allowsTypedValues = true
    #expect(
      try PlistDecoder(options: options).decode([Int].self, from: Data("(<*I5>)".utf8)) == [5])
  }
}
