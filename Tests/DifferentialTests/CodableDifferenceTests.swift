import Foundation
import PropertyList
import TestSupport
import Testing

/// Compares the coders with Foundation's.
@Suite("Foundation's coders and ours")
struct CodableDifferenceTests {
  // MARK: Types

  struct Everything: Codable, Equatable {
    var boolean = true
    var text = "caf\u{E9} <&> \u{1F600}"
    var numbers: [Double] = [0, 0.1, -1e300, .infinity]
    var floats: [Float] = [0.1, .leastNonzeroMagnitude]
    var int8 = Int8.min
    var int = Int.min
    var unsigned = UInt64.max
    var date = Date(timeIntervalSinceReferenceDate: 712_345_678)
    var data = Data(0...99)
    var url = URL(string: "https://example.org/a?b#c")!
    var relative = URL(string: "b", relativeTo: URL(string: "https://example.org/a/"))!
    var uuid = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!
    var decimal = Decimal(string: "-123.456")!
    var missing: Int?
    var present: String? = "here"
    var nested: [String: [String: [Int]]] = ["a": ["b": [1, 2]], "c": [:]]
    var byNumber = [1: "one", -2: "two"]
    var byLevel = [Level.low: 0.5, .high: 1]
    var byDate = [Date(timeIntervalSinceReferenceDate: 1): Data()]
    var shapes: [Shape] = [.nothing, .circle(radius: 1), .named("x", size: 2)]
    var range = 1..<3
    var empty = Empty()
    var dog = Dog()
    var cat = Cat()
  }

  struct Empty: Codable, Equatable {}

  enum Level: String, Codable, CodingKeyRepresentable {
    case low, high
  }

  indirect enum Shape: Codable, Equatable {
    case nothing
    case circle(radius: Double, label: String? = nil)
    case named(String, size: Int)
    case pair(Shape, Shape)
  }

  class Animal: Codable, Equatable {
    var name = "animal"

    static func == (left: Animal, right: Animal) -> Bool { left.name == right.name }
  }

  /// A class that uses a super coder.
  final class Dog: Animal {
    var tricks = ["sit"]

    private enum CodingKeys: CodingKey {
      case tricks, parent
    }

    override init() { super.init() }

    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      tricks = try container.decode([String].self, forKey: .tricks)
      try super.init(from: container.superDecoder())
      name += try Animal(from: container.superDecoder(forKey: .parent)).name.dropFirst(6)
    }

    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try super.encode(to: container.superEncoder())
      try super.encode(to: container.superEncoder(forKey: .parent))
      try container.encode(tricks, forKey: .tricks)
    }
  }

  /// A class in the same container as its superclass, with containers nested by hand.
  final class Cat: Animal {
    private enum CodingKeys: CodingKey {
      case list, map
    }

    override init() { super.init() }

    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      var list = try container.nestedUnkeyedContainer(forKey: .list)
      let first = try list.decode(Int.self)
      let inner = try list.nestedContainer(keyedBy: CodingKeys.self)
      let second = try inner.decode(Int.self, forKey: .map)
      let third = try Int(from: list.superDecoder())
      try super.init(from: decoder)
      guard [first, second, third] == [1, 2, 3], list.isAtEnd else {
        throw CocoaError(.coderReadCorrupt)
      }
    }

    override func encode(to encoder: any Encoder) throws {
      try super.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      var list = container.nestedUnkeyedContainer(forKey: .list)
      try list.encode(1)
      var inner = list.nestedContainer(keyedBy: CodingKeys.self)
      try 3.encode(to: list.superEncoder())
      try inner.encode(2, forKey: .map)
      _ = container.nestedContainer(keyedBy: CodingKeys.self, forKey: .map)
    }
  }

  // MARK: Values

  static let formats: [(PlistFormat, PropertyListSerialization.PropertyListFormat)] = [
    (.xml, .xml), (.binary, .binary),
  ]

  /// Expects that each coder reads what the other writes, and that both write the same value.
  private func expectAgreement<T: Codable & Equatable>(
    _ value: T, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for (format, foundationFormat) in Self.formats {
      let foundation = PropertyListEncoder()
      foundation.outputFormat = foundationFormat
      let theirs = try foundation.encode(value)
      let ours = try PlistEncoder(outputFormat: format).encode(value)
      #expect(
        try Plist.read(ours).value == Plist.read(theirs).value,
        sourceLocation: sourceLocation)
      #expect(
        try PlistDecoder().decode(T.self, from: theirs) == value, sourceLocation: sourceLocation)
      #expect(
        try PropertyListDecoder().decode(T.self, from: ours) == value,
        sourceLocation: sourceLocation)
    }
  }

  @Test("write and read the same")
  func agreement() throws {
    try expectAgreement(Everything())
    try expectAgreement([Everything()])
    try expectAgreement([Everything(), Everything(missing: 1, present: nil)])
    try expectAgreement([
      "key": Shape.pair(.pair(.nothing, .circle(radius: 0)), .named("", size: 1))
    ])
    try expectAgreement([[Bool]]())
    try expectAgreement([String: Bool]())
    try expectAgreement([1: [2: [3: [4]]]])
    try expectAgreement(Set([1]))
    try expectAgreement([UUID()])
    try expectAgreement([URL(string: "a")!, URL(fileURLWithPath: "/a b/\u{E9}")])
    try expectAgreement([Decimal(0), .pi, Decimal(string: "1e-20")!])
    try expectAgreement(Wrapper(items: [1, 2, 3]))
    try expectAgreement([CGPoint(x: 1.5, y: -2)])
    try expectAgreement([Int?.some(1), 2])
    try expectAgreement(DateComponents(year: 2024, month: 2))
  }

  struct Wrapper: Codable, Equatable {
    var items: [Int]

    init(items: [Int]) { self.items = items }

    init(from decoder: any Decoder) throws {
      items = try decoder.singleValueContainer().decode([Int].self)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(items)
    }
  }

  @Test("write and read the same numbers", arguments: 0..<100)
  func numbers(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    try expectAgreement((0..<50).map { _ in Int64(bitPattern: generator.next()) })
    try expectAgreement(
      (0..<50).map { _ in generator.next() >> UInt64.random(in: 0..<64, using: &generator) })
    try expectAgreement(
      (0..<50).map { _ in Double(bitPattern: generator.next()) }.filter { !$0.isNaN })
    try expectAgreement(
      (0..<50).map { _ in Float(bitPattern: UInt32(truncatingIfNeeded: generator.next())) }
        .filter { !$0.isNaN })
  }

  /// Whether Foundation's decoder and ours read a document as a type.
  private func acceptance<T: Decodable>(_ type: T.Type, _ body: String) -> [Bool] {
    let data = Data("<plist version=\"1.0\"><array>\(body)</array></plist>".utf8)
    return [
      (try? PropertyListDecoder().decode([T].self, from: data)) != nil,
      (try? PlistDecoder().decode([T].self, from: data)) != nil,
    ]
  }

  @Test(
    "refuse numbers and dates of other elements",
    arguments: ["<string>1</string>", "<true/>", "<array/>", "<dict/>", "<data></data>"])
  func otherElements(body: String) {
    #expect(acceptance(Int.self, body) == [false, false])
    #expect(acceptance(Double.self, body) == [false, false])
    #expect(acceptance(Date.self, body) == [false, false])
  }

  @Test("refuse the same mismatches")
  func refusal() {
    #expect(acceptance(Bool.self, "<integer>1</integer>") == [false, false])
    #expect(acceptance(Bool.self, "<string>YES</string>") == [false, false])
    #expect(acceptance(String.self, "<integer>1</integer>") == [false, false])
    #expect(acceptance(Int8.self, "<integer>128</integer>") == [false, false])
    #expect(acceptance(UInt.self, "<integer>-1</integer>") == [false, false])
    #expect(acceptance(Int.self, "<real>1.5</real>") == [false, false])
    #expect(acceptance(Int.self, "<real>1</real>") == [true, true])
    #expect(acceptance(Double.self, "<integer>1</integer>") == [true, true])
    #expect(acceptance(Float.self, "<real>0.1</real>") == [true, true])
    #expect(acceptance([String: Int].self, "<dict><key>a</key></dict>") == [false, false])
  }

  // MARK: Differences

  @Test("differ in nil, which Foundation writes as $null")
  func nils() throws {
    let list = try PropertyListEncoder().encode([1, nil])
    #expect(try Plist.read(list).value == [1, "$null"])
    #expect(throws: EncodingError.self) { try PlistEncoder().encode([1, nil]) }
    #expect(throws: DecodingError.self) { try PlistDecoder().decode([Int?].self, from: list) }
    var decoder = PlistDecoder()
    decoder.readsNullText = true
    #expect(try decoder.decode([Int?].self, from: list) == [1, nil])

    let map: [String: Int?] = ["a": nil, "b": 1]
    #expect(
      try Plist.read(PropertyListEncoder().encode(map)).value == ["a": "$null", "b": 1])
    #expect(try PlistEncoder().encodeToValue(map) == ["b": 1])

    let text = try PropertyListEncoder().encode(["$null"])
    #expect(try PropertyListDecoder().decode([String?].self, from: text) == [nil])
    #expect(try PlistDecoder().decode([String?].self, from: text) == ["$null"])
  }

  @Test("differ in numbers that Foundation rounds")
  func rounding() {
    #expect(acceptance(Double.self, "<integer>9007199254740993</integer>") == [true, false])
    #expect(acceptance(Float.self, "<integer>16777217</integer>") == [true, false])
    #expect(acceptance(Float.self, "<real>1e300</real>") == [true, false])
  }

  @Test("differ in what only ours take: scalars at the root, values that encode nothing, 128 bits")
  func additions() throws {
    struct Nothing: Encodable {
      func encode(to encoder: any Encoder) {}
    }
    for value in [1, "a", Date.distantPast, Nothing(), ["a": Int128(1)]] as [any Encodable] {
      #expect(throws: EncodingError.self) { try PropertyListEncoder().encode(value) }
      #expect(throws: Never.self) { try PlistEncoder().encode(value) }
    }
    #expect(acceptance(URL.self, "<string>https://example.org</string>") == [false, true])
  }
}
