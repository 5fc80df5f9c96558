import Foundation
import PropertyList
import TestSupport
import Testing

@Suite("A coded value")
struct CodableRoundTripTests {
  private func expectRoundTrip<T: Codable & Equatable>(
    _ value: T, _ medium: CodingMedium, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(try medium.roundTrip(value) == value, sourceLocation: sourceLocation)
  }

  @Test("keeps scalars, dates, data, URLs, UUIDs and decimals", arguments: CodingMedium.allCases)
  func scalars(medium: CodingMedium) throws {
    try expectRoundTrip(Scalars(), medium)
    try expectRoundTrip([Scalars(), Scalars()], medium)
    let relative = try medium.roundTrip(Scalars()).relative
    #expect(relative.baseURL == URL(string: "https://example.org/a/"))
  }

  @Test("can be a scalar at the root", arguments: CodingMedium.allCases)
  func roots(medium: CodingMedium) throws {
    try expectRoundTrip(true, medium)
    try expectRoundTrip("text", medium)
    try expectRoundTrip(-1, medium)
    try expectRoundTrip(UInt64.max, medium)
    try expectRoundTrip(Int128(UInt64.max), medium)
    try expectRoundTrip(1.5, medium)
    try expectRoundTrip(Float(0.1), medium)
    try expectRoundTrip(Date(timeIntervalSinceReferenceDate: 0), medium)
    try expectRoundTrip(Data([1]), medium)
    try expectRoundTrip(URL(string: "https://example.org")!, medium)
    try expectRoundTrip(UUID(), medium)
    try expectRoundTrip(Level.high, medium)
    try expectRoundTrip(Int?.some(1), medium)
  }

  @Test("keeps infinities and NaN", arguments: CodingMedium.allCases)
  func notNumbers(medium: CodingMedium) throws {
    try expectRoundTrip(
      [
        Double.infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
      ], medium)
    try expectRoundTrip(
      [
        Float.infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
      ], medium)
    #expect(try medium.roundTrip([Double.nan])[0].isNaN)
    #expect(try medium.roundTrip([Float.nan])[0].isNaN)
    #expect(try medium.roundTrip([-0.0])[0].sign == .minus)
  }

  @Test("keeps the limits of each integer type", arguments: CodingMedium.allCases)
  func integers(medium: CodingMedium) throws {
    try expectRoundTrip([Int8.min, -1, 0, 1, .max], medium)
    try expectRoundTrip([Int16.min, -1, 0, 1, .max], medium)
    try expectRoundTrip([Int32.min, -1, 0, 1, .max], medium)
    try expectRoundTrip([Int64.min, -1, 0, 1, .max], medium)
    try expectRoundTrip([UInt64(Int64.max), UInt64(Int64.max) + 1, .max], medium)
    try expectRoundTrip([Int128(Int64.min), Int128(UInt64.max)], medium)
    #expect(
      try PlistEncoder().encodeToValue([UInt64(Int64.max), UInt64(Int64.max) + 1])
        == [.integer(.max), .unsignedInteger(1 << 63)])
  }

  @Test("keeps optionals with and without a value", arguments: CodingMedium.allCases)
  func optionals(medium: CodingMedium) throws {
    try expectRoundTrip(Optionals(), medium)
    try expectRoundTrip(
      Optionals(
        number: 0, text: "", flag: false, date: .init(timeIntervalSinceReferenceDate: 1),
        data: Data(), url: URL(string: "a:b"), list: [], nested: Scalars(), twice: 1), medium)
    #expect(try PlistEncoder().encodeToValue(Optionals()) == [:])
    try expectRoundTrip([Int?.some(1), 2], medium)
    try expectRoundTrip(["a": Int?.some(1)], medium)
  }

  @Test(
    "keeps nil that is encoded as a value, and nil in a wrapper",
    arguments: CodingMedium.allCases)
  func genericNil(medium: CodingMedium) throws {
    try expectRoundTrip(Holder<Int?>(value: nil), medium)
    try expectRoundTrip(Holder<Int?>(value: 1), medium)
    try expectRoundTrip(Holder<Date?>(value: nil), medium)
    try expectRoundTrip(Holder<Int??>(value: nil), medium)
    try expectRoundTrip(Holder(value: Wrapper<String?>(nil)), medium)
    try expectRoundTrip(Holder(value: Wrapper(Wrapper<[Int]?>(nil))), medium)
    #expect(try PlistEncoder().encodeToValue(Holder(value: Wrapper<String?>(nil))) == [:])
  }

  @Test("keeps the string $null, optional or not", arguments: CodingMedium.allCases)
  func nullText(medium: CodingMedium) throws {
    try expectRoundTrip(["$null"], medium)
    try expectRoundTrip([String?.some("$null")], medium)
    try expectRoundTrip(Optionals(text: "$null"), medium)
    try expectRoundTrip(Holder<String?>(value: "$null"), medium)
  }

  @Test("keeps dictionaries with keys of every type", arguments: CodingMedium.allCases)
  func dictionaries(medium: CodingMedium) throws {
    try expectRoundTrip(["a": 1, "": 2, "e\u{301}": 3], medium)
    try expectRoundTrip([1: "a", -2: "b"], medium)
    try expectRoundTrip([Level.low: 1, .high: 2], medium)
    try expectRoundTrip([Date(timeIntervalSinceReferenceDate: 5): "five"], medium)
    try expectRoundTrip([UUID(): [Data([1]): URL(string: "a:b")!]], medium)
    #expect(try PlistEncoder().encodeToValue([7: "a"]) == ["7": "a"])
    #expect(try PlistEncoder().encodeToValue([Level.low: 1]) == ["low": 1])
    let date = Date(timeIntervalSinceReferenceDate: 5)
    #expect(try PlistEncoder().encodeToValue([date: "five"]) == [.date(date), "five"])
  }

  @Test("keeps nested and empty containers and sets", arguments: CodingMedium.allCases)
  func containers(medium: CodingMedium) throws {
    try expectRoundTrip([[Int]](), medium)
    try expectRoundTrip([[[1], []], [], [[2, 3]]], medium)
    try expectRoundTrip([String: [String: Int]](), medium)
    try expectRoundTrip(["a": [String: [Int]](), "b": ["c": [1]]], medium)
    try expectRoundTrip(Set([1, 2, 3]), medium)
    try expectRoundTrip(Empty(), medium)
    try expectRoundTrip([Empty(), Empty()], medium)
    try expectRoundTrip(Holder(value: Empty()), medium)
    try expectRoundTrip(1...5, medium)
  }

  @Test("keeps enums with associated values", arguments: CodingMedium.allCases)
  func enums(medium: CodingMedium) throws {
    try expectRoundTrip(Shape.nothing, medium)
    try expectRoundTrip(Shape.circle(radius: 1), medium)
    try expectRoundTrip(
      [
        Shape.pair(.nothing, .circle(radius: 2, label: "x")), .pair(.nothing, .nothing),
      ], medium)
    #expect(
      try PlistEncoder().encodeToValue(Shape.pair(.nothing, .circle(radius: 1)))
        == ["pair": ["_0": ["nothing": [:]], "_1": ["circle": ["radius": 1.0]]]])
  }

  @Test("keeps classes with their superclasses", arguments: CodingMedium.allCases)
  func classes(medium: CodingMedium) throws {
    try expectRoundTrip(Dog(name: "Rex", tricks: ["sit", "roll"]), medium)
    try expectRoundTrip([Cat(name: "Tom", lives: 9)], medium)
    #expect(
      try PlistEncoder().encodeToValue(Dog(name: "Rex", tricks: ["sit"]))
        == ["super": ["name": "Rex"], "tricks": ["sit"]])
    #expect(
      try PlistEncoder().encodeToValue(Cat(name: "Tom", lives: 9)) == ["name": "Tom", "lives": 9])
  }

  @Test("keeps nested property list values", arguments: CodingMedium.allCases)
  func values(medium: CodingMedium) throws {
    let value: PlistValue = [
      "date": .time(1), "data": .data(Data([1])),
      "uid": .uid(3), "real": 1.0, "integer": 1, "float": .float(0.5), "none": [[:], []],
    ]
    try expectRoundTrip(value, medium)
    try expectRoundTrip(Holder(value: value), medium)
    try expectRoundTrip([value, 1, "a"], medium)
    try expectRoundTrip(["key": value] as PlistDictionary, medium)
    try expectRoundTrip(Holder(value: ["key": value] as PlistDictionary), medium)
    let binary: PlistValue = [.null, .set([1, .null])]
    #expect(try CodingMedium.value.roundTrip(Holder(value: binary)) == Holder(value: binary))
    #expect(try CodingMedium.binary.roundTrip(Holder(value: binary)) == Holder(value: binary))
  }

  @Test(
    "survives a round trip, for random values", arguments: 0..<200,
    CodingMedium.allCases)
  func random(seed: UInt64, medium: CodingMedium) throws {
    var generator = SeededGenerator(seed: seed)
    try expectRoundTrip(RandomSample(depth: 4, using: &generator), medium)
  }
}
