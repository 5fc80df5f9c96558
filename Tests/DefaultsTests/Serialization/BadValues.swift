import Defaults
import DefaultsExtraTypes
import Foundation
import PropertyList
import Testing

extension BadValueTests {
  /// A type with a default that differs from every bad value.
  struct Subject: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// Whether values of the type have elements that can be read one by one.
    var isCollection: Bool
    /// Reads a key of the type: whether the default is read, and whether the stored value is good.
    var check: @Sendable (KeyFixture) -> (isDefault: Bool, isGood: Bool)

    init<Value: Defaults.Serializable & Equatable & Sendable>(_ value: Value) {
      testDescription = "\(Value.self)"
      isCollection = value is any Collection && !(value is any StringProtocol) && !(value is Data)
      check = { fixture in
        let key = fixture.key(default: value)
        let isGood = (try? key.load()) != nil
        let values = (0..<3).map { _ in Defaults[key] }
        let again = Defaults[fixture.key(default: value)]
        return ((values + [again]).allSatisfy { $0 == value }, isGood)
      }
    }

    static let all: [Subject] = [
      Subject(true), Subject(-7), Subject(Int8(-7)), Subject(UInt64(7)), Subject(UInt8(7)),
      Subject(0.125), Subject(Float(0.125)), Subject(CGFloat(0.125)), Subject("default"),
      Subject(Date(timeIntervalSinceReferenceDate: 1)), Subject(Data([9])),
      Subject(URL(string: "default:x")!), Subject(UUID()), Subject(Decimal(9)),
      Subject(Locale(identifier: "de_AT")), Subject(TimeZone(identifier: "Europe/Vienna")!),
      Subject(Duration.seconds(9)),
      Subject(DateInterval(start: Date(timeIntervalSinceReferenceDate: 1), duration: 1)),
      Subject(7..<9), Subject(0.5...0.75), Subject([-7]), Subject(Set(["default"])),
      Subject(["default": -7]), Subject([7: "default"]), Subject([[["default": Set([7])]]]),
      Subject(Int?.some(-7)), Subject([Int?.some(-7), nil]),
      Subject(Person(name: "default", age: 9)), Subject([Person(name: "default", age: 9)]),
      Subject(["default": Person(name: "default", age: 9)]),
      Subject(Native(name: "default", age: 9)),
      Subject(Theme.light), Subject(Mode.fast), Subject([Theme.light]), Subject(Bridged(number: 9)),
    ]
  }

  /// Values that at least one type cannot read.
  static let hostile: [PlistValue] = [
    "e", "1e", ".", "1.2.3", "1e400", .real(-.infinity), .float(.infinity), .float(.nan), true, 3,
    -1, 300, .integer(.min), .unsignedInteger(.max), 1.5, .real(.nan), .real(.infinity),
    .real(1e300), "", "text", "12", #""quoted""#, "{", "[", "\"", #"{"name":"x""#, "[1,2", "null",
    "true", "{}", "[]", #"{"name":null,"age":{}}"#, #"{"age":"old"}"#, #"["a",1]"#, "[5,1]",
    "\u{0}", .string(String(repeating: "[", count: 100_000)),
    .string(String(repeating: "{\"a\":", count: 2_000)),
    .string(String(repeating: "x", count: 100_000)), .date(.distantPast),
    .data(Data()), .data(Data([0xFF, 0xFE, 0])), .data(Data("bplist00".utf8)),
    .data(Data(repeating: 0x5B, count: 100_000)), .data(Data(#"{"name":"#.utf8)), [], [:],
    [1, "two", .real(3)], [5, 1], [.real(.nan), 1], [1, 2, 3], [[]], [[:]], ["a"], [true],
    ["a": "b"], ["name": 5], ["$nil": false], .uid(7), ["1": 1], [0, .integer(.min)],
    [.string("{"), .string("}")],
    .array((0..<1_000).map { .integer($0) }),
  ]
}

extension PlistValue {
  /// Whether the value is an array or a dictionary, or may be one as JSON.
  var isCollection: Bool {
    switch self {
    case .array, .dictionary: true
    case .string(let text): text.hasPrefix("[") || text.hasPrefix("{")
    case .data(let data): data.first == UInt8(ascii: "[") || data.first == UInt8(ascii: "{")
    default: false
    }
  }
}
