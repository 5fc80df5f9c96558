import Foundation

/// A structure with every type that a decoder has a method for or decodes natively.
struct Scalars: Codable, Equatable {
  var boolean = true
  var string = "caf\u{E9} $null"
  var double = 0.1
  var float: Float = 0.1
  var int = Int.min
  var int8 = Int8.min
  var int16 = Int16.max
  var int32 = Int32.min
  var int64 = Int64.max
  var int128 = Int128(UInt64.max)
  var uint = UInt.max
  var uint8 = UInt8.max
  var uint16 = UInt16.max
  var uint32 = UInt32.max
  var uint64 = UInt64.max
  var uint128 = UInt128(UInt64.max)
  var date = Date(timeIntervalSinceReferenceDate: 86_400)
  var data = Data([0, 1, 255])
  var url = URL(string: "https://example.org/a?b=c#d")!
  var relative = URL(string: "x/y", relativeTo: URL(string: "https://example.org/a/"))!
  var uuid = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!
  var decimal = Decimal(string: "-12345678901234567890.125")!
}

/// A structure whose values are all optional.
struct Optionals: Codable, Equatable {
  var number: Int?
  var text: String?
  var flag: Bool?
  var date: Date?
  var data: Data?
  var url: URL?
  var list: [Int]?
  var nested: Scalars?
  var twice: Int??
}

/// A wrapper that encodes its value without a container, as many property wrappers do.
struct Wrapper<Value: Codable & Equatable>: Codable, Equatable {
  var wrapped: Value

  init(_ wrapped: Value) { self.wrapped = wrapped }

  init(from decoder: any Decoder) throws {
    wrapped = try decoder.singleValueContainer().decode(Value.self)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrapped)
  }
}

/// A structure with one value of a generic type, which is encoded even if it is nil.
struct Holder<Value: Codable & Equatable>: Codable, Equatable {
  var value: Value
}

struct Empty: Codable, Equatable {}

indirect enum Shape: Codable, Equatable {
  case nothing
  case circle(radius: Double, label: String? = nil)
  case pair(Shape, Shape)
}

enum Level: String, Codable, CodingKeyRepresentable {
  case low, high
}

class Animal: Codable, Equatable {
  var name: String

  init(name: String) { self.name = name }

  static func == (left: Animal, right: Animal) -> Bool { left.isEqual(right) }

  func isEqual(_ other: Animal) -> Bool { name == other.name }
}

/// A class that encodes its superclass with a super encoder.
final class Dog: Animal {
  var tricks: [String]

  private enum CodingKeys: CodingKey {
    case tricks
  }

  init(name: String, tricks: [String]) {
    self.tricks = tricks
    super.init(name: name)
  }

  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    tricks = try container.decode([String].self, forKey: .tricks)
    try super.init(from: container.superDecoder())
  }

  override func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try super.encode(to: container.superEncoder())
    try container.encode(tricks, forKey: .tricks)
  }

  override func isEqual(_ other: Animal) -> Bool {
    super.isEqual(other) && tricks == (other as? Dog)?.tricks
  }
}

/// A class that encodes its superclass to the same dictionary.
final class Cat: Animal {
  var lives: Int

  private enum CodingKeys: CodingKey {
    case lives
  }

  init(name: String, lives: Int) {
    self.lives = lives
    super.init(name: name)
  }

  required init(from decoder: any Decoder) throws {
    lives = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .lives)
    try super.init(from: decoder)
  }

  override func encode(to encoder: any Encoder) throws {
    try super.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(lives, forKey: .lives)
  }

  override func isEqual(_ other: Animal) -> Bool {
    super.isEqual(other) && lives == (other as? Cat)?.lives
  }
}

/// A value that encodes itself by a closure.
struct Encoding: Encodable {
  var body: (any Encoder) throws -> Void

  func encode(to encoder: any Encoder) throws { try body(encoder) }
}

/// A coding key with any text.
struct TextKey: CodingKey, ExpressibleByStringLiteral {
  var stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }

  init(intValue: Int) { stringValue = String(intValue) }

  init(stringLiteral value: String) { stringValue = value }
}
