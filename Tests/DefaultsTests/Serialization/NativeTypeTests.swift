import Defaults
import DefaultsExtraTypes
import Foundation
import PropertyList
import TestSupport
import Testing

@Suite("Types that property lists support")
struct NativeTypeTests {
  /// Expects that a value is stored in a given form and read back by another key.
  private func expect<Value: Defaults.Serializable & Equatable>(
    _ value: Value, as stored: PlistValue, default other: Value,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let fixture = KeyFixture()
    #expect(Defaults[fixture.key(default: other)] == other, sourceLocation: sourceLocation)
    #expect(fixture.keeps(value, default: other), sourceLocation: sourceLocation)
    #expect(fixture.stored == stored, sourceLocation: sourceLocation)
    #expect(fixture.stored?.kind == stored.kind, sourceLocation: sourceLocation)
  }

  @Test("Bool is stored natively")
  func boolean() {
    expect(true, as: true, default: false)
  }

  @Test("Signed integers are stored natively")
  func integers() {
    expect(Int.min, as: .integer(.min), default: 1)
    expect(Int8.min, as: -128, default: 1)
    expect(Int16.max, as: 32767, default: 1)
    expect(Int32.min, as: -2_147_483_648, default: 1)
    expect(Int64.max, as: .integer(.max), default: 1)
  }

  @Test("Unsigned integers are stored natively")
  func unsignedIntegers() {
    expect(UInt.max, as: .unsignedInteger(.max), default: 1)
    expect(UInt8.max, as: 255, default: 1)
    expect(UInt16.max, as: 65535, default: 1)
    expect(UInt32.max, as: 4_294_967_295, default: 1)
    expect(UInt64.max, as: .unsignedInteger(.max), default: 1)
  }

  @Test("Float, Double and CGFloat are stored as reals")
  func reals() {
    expect(Float(0.1), as: .float(0.1), default: 1)
    expect(0.1, as: .real(0.1), default: 1)
    expect(-Double.infinity, as: .real(-.infinity), default: 1)
    expect(CGFloat(2.5), as: .real(2.5), default: 1)
    let fixture = KeyFixture()
    Defaults[fixture.key(default: 1.0)] = .nan
    #expect(Defaults[fixture.key(default: 1.0)].isNaN)
  }

  @Test("String, Date and Data are stored natively")
  func others() {
    expect("grüße 🦄\0", as: "grüße 🦄\0", default: "")
    let date = Date(timeIntervalSinceReferenceDate: 0.125)
    expect(date, as: .date(date), default: .distantPast)
    expect(Data([0, 255]), as: .data(Data([0, 255])), default: Data())
  }

  @Test("A string of 100,000 characters is saved")
  func longText() throws {
    let fixture = try FileFixture()
    let text = String(repeating: "ä", count: 100_000)
    Defaults[Defaults.Key("text", default: "", suite: fixture.store)] = text
    try fixture.store.flush()
    #expect(try fixture.values()["text"] == .string(text))
  }

  private func isNative(_ type: any Defaults.Serializable.Type) -> Bool {
    type.isNativelySupportedType
  }

  @Test("isNativelySupportedType is true of native types and their containers alone")
  func nativelySupported() {
    let native: [any Defaults.Serializable.Type] = [
      Bool.self, Int.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt.self, UInt8.self,
      UInt16.self, UInt32.self, UInt64.self, Float.self, Double.self, CGFloat.self, String.self,
      Date.self, Data.self, Int?.self, [Int].self, [String: [Date]].self, [[Data?]].self,
    ]
    for type in native { #expect(isNative(type), "\(type)") }
    let bridged: [any Defaults.Serializable.Type] = [
      URL.self, UUID.self, Decimal.self, Range<Int>.self, ClosedRange<Date>.self, Locale.self,
      TimeZone.self, Duration.self, DateInterval.self, Set<Int>.self, [Int: String].self,
      [URL].self, [String: UUID].self, Color.self, Defaults.AnySerializable.self,
    ]
    for type in bridged { #expect(!isNative(type), "\(type)") }
  }

  @Test("A class of Foundation is stored natively if the program says that property lists have it")
  func foundationClasses() {
    let fixture = KeyFixture()
    #expect(fixture.keeps(["a": [1, "x"]] as NSDictionary, default: [:]))
    #expect(fixture.stored == ["a": [1, "x"]])
    #expect(fixture.keeps([["b": true] as NSDictionary], default: []))
    #expect(fixture.stored == [["b": true]])
    #expect(Defaults[KeyFixture(stored: "x").key(default: NSDictionary())] == [:])
  }

  @Test("Arrays, dictionaries and optionals are stored natively")
  func containers() {
    expect([1, 2, 3], as: [1, 2, 3], default: [])
    expect([[true], []], as: [[true], []], default: [])
    expect(["a": 1.5], as: ["a": 1.5], default: [:])
    expect(Optional("x"), as: "x", default: nil)
    expect([1, nil, 3], as: [1, ["$nil": true], 3], default: [])
    expect(["a": nil, "b": 2], as: ["a": ["$nil": true], "b": 2], default: ["z": 0])
  }

  @Test("A set is stored as an array in a stable order")
  func sets() {
    expect(Set([3, 1, 2]), as: [1, 2, 3], default: [])
    let words = Set((0..<50).map { "word \($0)" })
    let (one, other) = (KeyFixture(), KeyFixture())
    Defaults[one.key(default: Set<String>())] = words
    Defaults[other.key(default: Set<String>())] = Set(words.shuffled())
    #expect(one.stored == other.stored)
  }

  @Test("A dictionary's keys may be of any type that converts to a string and back")
  func dictionaryKeys() {
    expect([1: "one", -2: "two"], as: ["1": "one", "-2": "two"], default: [:])
    expect([true: [1.5: "x"]], as: ["true": ["1.5": "x"]], default: [:])
    expect([Character("ä"): 1], as: ["ä": 1], default: [:])
    let fixture = KeyFixture(stored: ["one": "x"])
    #expect(Defaults[fixture.key(default: [1: "default"])] == [1: "default"])
    #expect(fixture.reports == ["cannot be read: expected a key of type Int (at one)"])
  }

  @Test("Containers can be nested")
  func nesting() {
    expect(
      [["a": Set([["x": 1]])]] as [[String: Set<[String: Int]>]], as: [["a": [["x": 1]]]],
      default: [])
    expect([[[[[[1]]]]]], as: [[[[[[1]]]]]], default: [])
    expect(
      [1: [Set([URL(string: "https://example.org")!])]] as [Int: [Set<URL>]],
      as: ["1": [[#""https:\/\/example.org""#]]], default: [:])
    expect(
      ["a": [Optional(1...2), nil]] as [String: [ClosedRange<Int>?]],
      as: ["a": [[1, 2], ["$nil": true]]], default: [:])
    expect(
      [Color.red: 1].map { [$0.key] } as [[Color]], as: [["red"]], default: [])
  }

  enum Color: String, Hashable, Defaults.Serializable {
    case red
  }
}
