import Foundation
import TestSupport
import Testing

@testable import PropertyList

@Suite("A decoder of binary property lists")
struct BinaryDecodingTests {
  /// Any document, decoded through containers.
  indirect enum Walk: Decodable, Equatable {
    case dictionary([String], [Walk])
    case array([Walk])
    case leaf(PlistValue)

    init(from decoder: any Decoder) throws {
      if let container = try? decoder.container(keyedBy: TextKey.self) {
        let keys = container.allKeys
        // From the last to the first, and then in order.
        let values = try keys.reversed().map { try container.decode(Walk.self, forKey: $0) }
        let again = try keys.map { try container.decode(Walk.self, forKey: $0) }
        #expect(again == values.reversed())
        self = .dictionary(keys.map(\.stringValue), again)
      } else if var container = try? decoder.unkeyedContainer() {
        var elements: [Walk] = []
        while !container.isAtEnd { elements.append(try container.decode(Walk.self)) }
        self = .array(elements)
      } else {
        self = .leaf(try decoder.singleValueContainer().decode(PlistValue.self))
      }
    }
  }

  private static let sample: PlistValue = {
    let text = String(repeating: "long enough to be shared ", count: 50)
    return [
      "short": "text", "long": .string(text), "again": .string(text), "accent": "\u{E9}",
      "data": .data(Data(text.utf8)), "same data": .data(Data(text.utf8)),
      "number": 300, "large": .unsignedInteger(.max), "float": .float(0.5), "none": .null,
      "date": .time(1), "true": true, "empty": [:],
      "array": [true, 1.5, ["a": "text", "b": [[]]], ["b": "text", "a": 1]],
      "other": [true, 1.5, ["a": "text", "b": [[]]]], "set": .set([1, .set([])]),
      "\u{E9}": .uid(7), "e\u{301}": .uid(8), "": -1,
    ]
  }()

  private func document(
    _ value: PlistValue, order: PlistWriteOptions.KeyOrder = .document
  ) throws -> Data {
    let options = PlistWriteOptions.with { $0.keyOrder = order }
    return try Plist.write(value, as: .binary, options: options)
  }

  @Test("decodes a document like the value that it holds")
  func sameAsTree() throws {
    let data = try document(Self.sample)
    let decoder = PlistDecoder()
    #expect(try decoder.decode(PlistValue.self, from: data) == Self.sample)
    #expect(try .dictionary(decoder.decode(PlistDictionary.self, from: data)) == Self.sample)
    #expect(
      try decoder.decode(Walk.self, from: data) == decoder.decode(Walk.self, from: Self.sample))
  }

  @Test("agrees with the reader on every document with one byte changed")
  func damage() throws {
    let data = try document(Self.sample, order: .sorted)
    var refused = 0
    var generator = SeededGenerator(seed: 7)
    let positions = TestScale.share(of: data.indices, one: 4)
    for position in positions {
      var damaged = data
      damaged[position] ^= UInt8.random(in: 1...255, using: &generator)
      do {
        let value = try Plist.read(damaged, as: .binary).value
        guard PlistFormat(detecting: damaged) == .binary else { continue }
        #expect(try PlistDecoder().decode(PlistValue.self, from: damaged) == value)
        #expect(
          try PlistDecoder().decode(Walk.self, from: damaged)
            == PlistDecoder().decode(Walk.self, from: value))
      } catch let failure as PlistError {
        refused += 1
        guard PlistFormat(detecting: damaged) == .binary else { continue }
        let error = #expect(throws: DecodingError.self) {
          try PlistDecoder().decode(Walk.self, from: damaged)
        }
        guard case .dataCorrupted(let context)? = error else { continue }
        #expect(context.underlyingError as? PlistError == failure)
        #expect(context.debugDescription == failure.description)
      }
    }
    #expect(refused > positions.count / 20)
  }

  @Test("refuses a defect that no type requests")
  func unread() throws {
    // A date that is not a number is the value of the second key.
    let data = BinaryAssembly([
      [0xD2, 1, 2, 3, 4], BinaryAssembly.string("value"), BinaryAssembly.string("x"), [0x10, 7],
      [0x33] + BinaryAssembly.bigEndian(Double.nan.bitPattern, size: 8),
    ]).data
    let error = #expect(throws: DecodingError.self) {
      try PlistDecoder().decode(Holder<Int>.self, from: data)
    }
    guard case .dataCorrupted(let context)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(
      context.debugDescription == "byte 23: the date is NaN; expected a point in time (key path x)")
    #expect((context.underlyingError as? PlistError)?.kind == .dateIsNaN)
  }

  @Test("decodes the last value of a repeated key, at the first position")
  func duplicates() throws {
    // The key "a" repeats as two objects, the key "value" as one with two references.
    let data = BinaryAssembly([
      [0xD5, 1, 2, 3, 1, 4, 5, 6, 7, 8, 9], BinaryAssembly.string("value"),
      BinaryAssembly.string("a"), BinaryAssembly.string("b"), BinaryAssembly.string("a"),
      [0x10, 1], [0x10, 2], [0x10, 3], [0x10, 4], [0x10, 5],
    ]).data
    #expect(try PlistDecoder().decode(Holder<Int>.self, from: data) == Holder(value: 4))
    #expect(
      try PlistDecoder().decode(Walk.self, from: data)
        == .dictionary(["value", "a", "b"], [.leaf(4), .leaf(5), .leaf(3)]))
    #expect(
      try PlistDecoder().decode(PlistValue.self, from: data) == ["value": 4, "a": 5, "b": 3])
  }

  @Test("finds every key, whatever their order", arguments: [1, 4, 5, 16, 17, 300])
  func manyKeys(count: Int) throws {
    var generator = SeededGenerator(seed: UInt64(count))
    let numbers = (0..<count).shuffled(using: &generator)
    var dictionary = PlistDictionary()
    for number in numbers { dictionary["key \(number)"] = .integer(Int64(number)) }
    let value = PlistValue.dictionary(dictionary)
    let expected = Dictionary(uniqueKeysWithValues: numbers.map { ("key \($0)", $0) })
    for data in [try document(value), try document(value, order: .sorted)] {
      #expect(try PlistDecoder().decode([String: Int].self, from: data) == expected)
      #expect(
        try PlistDecoder().decode(Walk.self, from: data)
          == PlistDecoder().decode(Walk.self, from: Plist.read(data).value))
    }
    #expect(decodingError(Holder<Int>.self, value) != nil)
  }

  @Test("distinguishes dictionaries with different keys in one document")
  func keyLists() throws {
    let values: PlistValue = [
      ["a": 1, "b": 2], ["b": 3, "a": 4], ["a": 5], ["a": 6, "b": 7], [:],
    ]
    #expect(
      try CodingMedium.binary.decode([[String: Int]].self, from: values)
        == [["a": 1, "b": 2], ["b": 3, "a": 4], ["a": 5], ["a": 6, "b": 7], [:]])
  }

  @Test("can outlive the call that created it")
  func kept() throws {
    struct Keeper: Decodable {
      let decoder: any Decoder

      init(from decoder: any Decoder) { self.decoder = decoder }
    }
    var data = try document(["value": ["text": "kept", "list": [1, 2]]])
    let keeper = try PlistDecoder().decode(Only<Keeper>.self, from: data).value
    data.resetBytes(in: 0..<data.count)
    let container = try keeper.decoder.container(keyedBy: TextKey.self)
    #expect(try container.decode(String.self, forKey: "text") == "kept")
    #expect(try container.decode([Int].self, forKey: "list") == [1, 2])
  }

  /// A structure with one decodable value.
  struct Only<Value: Decodable>: Decodable {
    let value: Value
  }

  @Test("shares containers and long strings with several references")
  func shared() throws {
    // Each of 20 arrays refers to the next one twice: a million paths lead to the text.
    var objects = (1...20).map { [0xA2, UInt8($0), UInt8($0)] as [UInt8] }
    objects.append(BinaryAssembly.string("text"))
    let value = try PlistDecoder().decode(PlistValue.self, from: BinaryAssembly(objects).data)
    var (element, depth) = (value, 0)
    while case .array(let elements) = element {
      #expect(elements.count == 2)
      (element, depth) = (elements[1], depth + 1)
    }
    #expect(element == "text")
    #expect(depth == 20)
  }
}
