import Foundation
import TestSupport
import Testing

@testable import PropertyList

/// Values that share their parts in memory, as in binary property lists.
@Suite("Shared parts of values")
struct SharedPartsTests {
  /// A value of a few dozen containers that occur millions of times.
  private static let bomb: PlistValue = {
    var value: PlistValue = "a"
    for _ in 0..<22 { value = [value, value] }
    return value
  }()

  // MARK: Comparing

  @Test(
    "Values that share their parts are compared and hashed in no time",
    arguments: [
      { [$0, $0] }, { .set([$0, $0]) }, { ["a": $0, "b": $0] }, { [.set([$0]), ["a": $0]] },
    ] as [@Sendable (PlistValue) -> PlistValue])
  func comparison(_ doubled: @Sendable (PlistValue) -> PlistValue) {
    func value(_ leaf: PlistValue) -> PlistValue {
      (0..<60).reduce(leaf) { value, _ in doubled(value) }
    }
    let (one, other, different) = (value("a"), value("a"), value("b"))
    #expect(one == one)
    #expect(one == other)
    #expect(one != different)
    #expect(one.hashValue == other.hashValue)
    #expect(Set([one, other, different]).count == 2)
  }

  // MARK: Binary

  @Test("A container that is shared in memory is one object in binary; an equal one is another")
  func sharedContainers() throws {
    let shared: PlistValue = ["a", [], "a"]
    let value: PlistValue = [
      shared, .set([shared, []]), shared, ["a", [], "a"], .set([shared, []]),
    ]
    let data = try Plist.write(value, as: .binary)
    #expect(
      Array(data)
        == Array(
          BinaryAssembly([
            [0xA5, 1, 4, 1, 6, 8], [0xA3, 2, 3, 2], BinaryAssembly.string("a"), [0xA0],
            [0xC2, 1, 5], [0xA0], [0xA3, 2, 7, 2], [0xA0], [0xC2, 1, 9], [0xA0],
          ]).data))
    #expect(try Plist.read(data).value == value)
  }

  @Test("What shares containers is read back as an equal value that shares them, too")
  func roundTrip() throws {
    var random = SharedValues(seed: 7)
    var (small, large) = (0, 0)
    while small < 20 || large < 3 {
      let value = random.value()
      let (size, nodeCount, _) = BinaryPlistWriter.extent(of: value)
      switch nodeCount {
      case ...10_000: small += 1
      case 50_000...200_000:
        large += 1
        #expect(size < 5000)
      default: continue
      }
      let data = try Plist.write(value, as: .binary)
      let again = try Plist.read(data).value
      #expect(again == value)
      #expect(try Plist.write(again, as: .binary) == data)
    }
  }

  @Test("Dictionaries share values with others of the same keys, and keys with others")
  func shapes() throws {
    let first: PlistDictionary = ["b": [1, 2, 3], "a": 2, "c": 3]
    var second = first
    second["a"] = 4
    let value: PlistValue = .array([first, second, first, second].map { .dictionary($0) })
    let data = try Plist.write(value, as: .binary)
    #expect(try Plist.read(data).value == value)
    #expect(BinaryPlistWriter.extent(of: value).size < data.count)
  }

  @Test("A value is written in the time and space of what it has in memory")
  func bomb() throws {
    let data = try Plist.write(["a": Self.bomb], as: .binary)
    #expect(data.count < 200)
    var value = try Plist.read(data).value
    try value.insert("new", at: "b")
    #expect(try Plist.write(value, as: .binary).count < 200)
  }

  @Test("The limits count shared values each time, remembered or not")
  func limits() {
    var options = PlistWriteOptions.with { $0.limits.maximumNodeCount = 8_388_606 }
    #expect(
      writeError(Self.bomb, as: .binary, options: options)?
        .hasPrefix("the document contains more than 8388606 values") == true)
    options.limits.maximumNodeCount += 1
    #expect(writeError(Self.bomb, as: .binary, options: options) == nil)

    var deep: PlistValue = .array((0..<20).map { .integer($0) })
    for _ in 1..<300 { deep = [deep] }
    var deeper = deep
    for _ in 0..<211 { deeper = [deeper] }
    #expect(writeError([deep, deeper], as: .binary) == nil)
    #expect(
      writeError([deep, [deeper]], as: .binary)?
        .hasPrefix("containers are nested deeper than 512 levels") == true)
  }

  // MARK: Text

  @Test(
    "A value whose text is out of proportion is refused",
    arguments: TestScale.share(of: PlistFormat.allCases.filter { $0 != .binary }, one: 4))
  func expansion(format: PlistFormat) {
    #expect(
      writeError(["a": Self.bomb], as: format)?.hasPrefix(
        "the text would be larger than 16777216 bytes and more than 32 times the binary form "
          + "(key path a.") == true)
  }

  @Test("Indentation alone is out of proportion where it is deep, unless the limit is raised")
  func indentation() throws {
    var value = PlistValue.array(Array(repeating: true, count: 50_000))
    for _ in 1..<512 { value = [value] }
    #expect(
      writeError(value, as: .xml)?.hasPrefix(
        "the text would be larger than 16777216 bytes and more than 32 times the binary form")
        == true)
    let options = PlistWriteOptions.with { $0.limits.maximumExpansion = 1000 }
    let data = try Plist.write(value, as: .xml, options: options)
    #expect(data.count > 20 << 20)
    #expect(try Plist.read(data).value == value)
  }

  @Test("A large value that shares little is written")
  func proportion() throws {
    let value = PlistValue.array((0..<400_000).map { .string("some text \($0 % 100_000)") })
    #expect(try Plist.write(value, as: .xml).count > ExpansionLimit.freeSize * 2 / 3)
    let options = PlistWriteOptions.with { $0.limits.maximumExpansion = 2 }
    #expect(writeError(value, as: .xml, options: options) == nil)
  }

  @Test("A description that is out of proportion is abridged, or refused where it must be whole")
  func description() {
    let text = Self.bomb.description
    #expect(text.hasSuffix("…"))
    #expect(text.utf8.count < 17 << 20)
    #expect(
      throws: PlistError.self,
      performing: { try Self.bomb.wholeDescription() })
  }

  // MARK: Codable

  private struct Node: Decodable {
    let children: [Node]

    init(from decoder: any Decoder) throws {
      var container = try decoder.unkeyedContainer()
      var children: [Node] = []
      while !container.isAtEnd { children.append(try container.decode(Node.self)) }
      self.children = children
    }
  }

  @Test("Types do not decode out of proportion to a document")
  func decoding() throws {
    var value: PlistValue = []
    for _ in 0..<22 { value = [value, value] }
    let data = try Plist.write(value, as: .binary)
    for decode in [
      { _ = try PlistDecoder().decode(Node.self, from: data) },
      { _ = try PlistDecoder().decode(Node.self, from: value) },
    ] {
      #expect {
        try decode()
      } throws: { error in
        guard case DecodingError.dataCorrupted(let context) = error else { return false }
        return context.debugDescription
          == "More than 131072 values are decoded, over 32 times the number of bytes in binary."
      }
    }
    // A value that shares as much, but decodes to few values, is decoded.
    for _ in 0..<6 {
      if case .array(let elements) = value { value = elements[0] }
    }
    #expect(throws: Never.self) { try PlistDecoder().decode(Node.self, from: value) }
  }
}

/// Random values. Many of their parts are equal or shared.
private struct SharedValues {
  private var random: SeededGenerator
  private var parts: [PlistValue] = []

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  /// A value that was made by a random number of steps.
  mutating func value() -> PlistValue {
    parts = ["a", 1, true, []]
    for _ in 0..<Int.random(in: 10...60, using: &random) {
      let elements = (0..<Int.random(in: 0...4, using: &random)).map { _ in
        parts[max(0, parts.count - Int.random(in: 1...10, using: &random))]
      }
      switch Int.random(in: 0..<3, using: &random) {
      case 0: parts.append(.array(elements))
      case 1: parts.append(.set(elements))
      default:
        let keys = (0..<elements.count).map { "\($0 * Int.random(in: 1...2, using: &random))" }
        parts.append(.dictionary(PlistDictionary(zip(keys, elements))))
      }
    }
    return .array(parts.suffix(10))
  }
}
