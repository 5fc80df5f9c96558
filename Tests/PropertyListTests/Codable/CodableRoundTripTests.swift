import Foundation
import PropertyList
import TestSupport
import Testing

@Suite("A coded value")
struct CodableRoundTripTests {
  private func expectRoundTrip<T: Codable & Equatable>(
    _ value: T, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for way in CodingWay.allCases {
      #expect(try way.roundTrip(value) == value, "\(way)", sourceLocation: sourceLocation)
    }
  }

  @Test("keeps scalars, dates, data, URLs, UUIDs and decimals")
  func scalars() throws {
    try expectRoundTrip(Scalars())
    try expectRoundTrip([Scalars(), Scalars()])
    for way in CodingWay.allCases {
      let relative = try way.roundTrip(Scalars()).relative
      #expect(relative.baseURL == URL(string: "https://example.org/a/"))
    }
  }

  @Test("may be a scalar at the root")
  func roots() throws {
    try expectRoundTrip(true)
    try expectRoundTrip("text")
    try expectRoundTrip(-1)
    try expectRoundTrip(UInt64.max)
    try expectRoundTrip(Int128(UInt64.max))
    try expectRoundTrip(1.5)
    try expectRoundTrip(Float(0.1))
    try expectRoundTrip(Date(timeIntervalSinceReferenceDate: 0))
    try expectRoundTrip(Data([1]))
    try expectRoundTrip(URL(string: "https://example.org")!)
    try expectRoundTrip(UUID())
    try expectRoundTrip(Level.high)
    try expectRoundTrip(Int?.some(1))
  }

  @Test("keeps infinities and NaN")
  func notNumbers() throws {
    try expectRoundTrip([
      Double.infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
    ])
    try expectRoundTrip([
      Float.infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
    ])
    for way in CodingWay.allCases {
      #expect(try way.roundTrip([Double.nan])[0].isNaN)
      #expect(try way.roundTrip([Float.nan])[0].isNaN)
      #expect(try way.roundTrip([-0.0])[0].sign == .minus)
    }
  }

  @Test("keeps each integer of its type as a number of its own")
  func integers() throws {
    try expectRoundTrip([Int8.min, -1, 0, 1, .max])
    try expectRoundTrip([Int16.min, -1, 0, 1, .max])
    try expectRoundTrip([Int32.min, -1, 0, 1, .max])
    try expectRoundTrip([Int64.min, -1, 0, 1, .max])
    try expectRoundTrip([UInt64(Int64.max), UInt64(Int64.max) + 1, .max])
    try expectRoundTrip([Int128(Int64.min), Int128(UInt64.max)])
    #expect(
      try PlistEncoder().encodeToValue([UInt64(Int64.max), UInt64(Int64.max) + 1])
        == [.integer(.max), .unsignedInteger(1 << 63)])
  }

  @Test("keeps optionals with and without a value")
  func optionals() throws {
    try expectRoundTrip(Optionals())
    try expectRoundTrip(
      Optionals(
        number: 0, text: "", flag: false, date: .init(timeIntervalSinceReferenceDate: 1),
        data: Data(), url: URL(string: "a:b"), list: [], nested: Scalars(), twice: 1))
    #expect(try PlistEncoder().encodeToValue(Optionals()) == [:])
    try expectRoundTrip([Int?.some(1), 2])
    try expectRoundTrip(["a": Int?.some(1)])
  }

  @Test("keeps nil that is encoded like any value, and nil within a wrapper")
  func genericNil() throws {
    try expectRoundTrip(Holder<Int?>(value: nil))
    try expectRoundTrip(Holder<Int?>(value: 1))
    try expectRoundTrip(Holder<Date?>(value: nil))
    try expectRoundTrip(Holder<Int??>(value: nil))
    try expectRoundTrip(Holder(value: Wrapper<String?>(nil)))
    try expectRoundTrip(Holder(value: Wrapper(Wrapper<[Int]?>(nil))))
    #expect(try PlistEncoder().encodeToValue(Holder(value: Wrapper<String?>(nil))) == [:])
  }

  @Test("keeps the string $null, optional or not")
  func nullText() throws {
    try expectRoundTrip(["$null"])
    try expectRoundTrip([String?.some("$null")])
    try expectRoundTrip(Optionals(text: "$null"))
    try expectRoundTrip(Holder<String?>(value: "$null"))
  }

  @Test("keeps dictionaries by keys of every sort")
  func dictionaries() throws {
    try expectRoundTrip(["a": 1, "": 2, "e\u{301}": 3])
    try expectRoundTrip([1: "a", -2: "b"])
    try expectRoundTrip([Level.low: 1, .high: 2])
    try expectRoundTrip([Date(timeIntervalSinceReferenceDate: 5): "five"])
    try expectRoundTrip([UUID(): [Data([1]): URL(string: "a:b")!]])
    #expect(try PlistEncoder().encodeToValue([7: "a"]) == ["7": "a"])
    #expect(try PlistEncoder().encodeToValue([Level.low: 1]) == ["low": 1])
    let date = Date(timeIntervalSinceReferenceDate: 5)
    #expect(try PlistEncoder().encodeToValue([date: "five"]) == [.date(date), "five"])
  }

  @Test("keeps containers within containers, empty ones and sets")
  func containers() throws {
    try expectRoundTrip([[Int]]())
    try expectRoundTrip([[[1], []], [], [[2, 3]]])
    try expectRoundTrip([String: [String: Int]]())
    try expectRoundTrip(["a": [String: [Int]](), "b": ["c": [1]]])
    try expectRoundTrip(Set([1, 2, 3]))
    try expectRoundTrip(Empty())
    try expectRoundTrip([Empty(), Empty()])
    try expectRoundTrip(Holder(value: Empty()))
    try expectRoundTrip(1...5)
  }

  @Test("keeps enums with associated values")
  func enums() throws {
    try expectRoundTrip(Shape.nothing)
    try expectRoundTrip(Shape.circle(radius: 1))
    try expectRoundTrip([
      Shape.pair(.nothing, .circle(radius: 2, label: "x")), .pair(.nothing, .nothing),
    ])
    #expect(
      try PlistEncoder().encodeToValue(Shape.pair(.nothing, .circle(radius: 1)))
        == ["pair": ["_0": ["nothing": [:]], "_1": ["circle": ["radius": 1.0]]]])
  }

  @Test("keeps classes with what their superclass encodes")
  func classes() throws {
    try expectRoundTrip(Dog(name: "Rex", tricks: ["sit", "roll"]))
    try expectRoundTrip([Cat(name: "Tom", lives: 9)])
    #expect(
      try PlistEncoder().encodeToValue(Dog(name: "Rex", tricks: ["sit"]))
        == ["super": ["name": "Rex"], "tricks": ["sit"]])
    #expect(
      try PlistEncoder().encodeToValue(Cat(name: "Tom", lives: 9)) == ["name": "Tom", "lives": 9])
  }

  @Test("keeps parts that are property lists themselves")
  func values() throws {
    let value: PlistValue = [
      "date": .date(Date(timeIntervalSinceReferenceDate: 1)), "data": .data(Data([1])),
      "uid": .uid(3), "real": 1.0, "integer": 1, "float": .float(0.5), "none": [[:], []],
    ]
    try expectRoundTrip(value)
    try expectRoundTrip(Holder(value: value))
    try expectRoundTrip([value, 1, "a"])
    try expectRoundTrip(["key": value] as PlistDictionary)
    try expectRoundTrip(Holder(value: ["key": value] as PlistDictionary))
    let binary: PlistValue = [.null, .set([1, .null])]
    #expect(try CodingWay.value.roundTrip(Holder(value: binary)) == Holder(value: binary))
    #expect(try CodingWay.binary.roundTrip(Holder(value: binary)) == Holder(value: binary))
  }

  @Test("is the same after a round trip, for values made at random", arguments: 0..<200)
  func random(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    try expectRoundTrip(RandomSample(depth: 4, using: &generator))
  }
}
