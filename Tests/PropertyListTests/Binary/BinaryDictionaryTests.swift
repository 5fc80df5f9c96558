import Foundation
import Testing

@testable import PropertyList

@Suite("A binary dictionary that reads requested values")
struct BinaryDictionaryTests {
  /// Compares a document that is read as a whole with the same document read in parts.
  private func compare(_ data: Data, sourceLocation: SourceLocation = #_sourceLocation) {
    var error: PlistError?
    var dictionary: BinaryDictionary?
    do throws(PlistError) {
      dictionary = try BinaryDictionary(data)
    } catch let failure {
      error = failure
    }
    do throws(PlistError) {
      let value = try Plist.read(data, as: .binary).value
      #expect(error == nil, sourceLocation: sourceLocation)
      guard case .dictionary(let whole) = value else {
        #expect(dictionary == nil, sourceLocation: sourceLocation)
        return
      }
      for (key, value) in whole {
        #expect(dictionary?.value(forKey: key) == value, sourceLocation: sourceLocation)
      }
      #expect(dictionary?.value(forKey: "a key that does not exist") == nil)
      #expect(dictionary?.hasNullOrSet == value.hasNullOrSet, sourceLocation: sourceLocation)
      #expect(try dictionary?.allValues() == whole, sourceLocation: sourceLocation)
    } catch let failure {
      #expect(error == failure, sourceLocation: sourceLocation)
    }
  }

  private static let fixtures = FixtureIndex.fixtures.filter { $0.format == .binary }

  @Test("agrees with the reader on every fixture", arguments: fixtures)
  func fixture(fixture: Fixture) throws { compare(try fixture.data()) }

  @Test("is compared with the reader on more than 100 fixtures")
  func fixtureCount() { #expect(Self.fixtures.count > 100) }

  @Test(
    "agrees with the reader on every document with one bit flipped, and on every prefix of one")
  func damage() throws {
    let text = String(repeating: "long enough to be cached at once ", count: 3)
    let value: PlistValue = [
      "short": "text", "long": .string(text), "again": .string(text), "accent": "é",
      "data": .data(Data(text.utf8)),
      "number": 300, "date": .date(Date(timeIntervalSinceReferenceDate: 1)),
      "array": [true, 1.5, ["a": "text"]],
      "other": [true, 1.5, ["a": "text"]], "é": .uid(7),
    ]
    let data = try Plist.write(value, as: .binary)
    for count in 1..<data.count { compare(data.prefix(count)) }
    for position in data.indices {
      for bit in 0..<8 {
        var damaged = data
        damaged[position] ^= 1 << bit
        compare(damaged)
      }
    }
  }

  @Test("finds keys as the reader does")
  func keys() throws {
    // The same key in ASCII and in UTF-16, then two that only look alike, and an empty one.
    let objects: [[UInt8]] = [
      [0xD5, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], BinaryAssembly.string("ab"), [0x62, 0, 0x61, 0, 0x62],
      [0x61, 0x00, 0xE9], [0x62, 0x00, 0x65, 0x03, 0x01], [0x50],
      [0x10, 1], [0x10, 2], [0x10, 3], [0x10, 4], [0x10, 5],
    ]
    let dictionary = try #require(try BinaryDictionary(BinaryAssembly(objects).data))
    #expect(dictionary.value(forKey: "ab") == 2)
    #expect(dictionary.value(forKey: "\u{E9}") == 3)
    #expect(dictionary.value(forKey: "e\u{301}") == 4)
    #expect(dictionary.value(forKey: "") == 5)
    #expect(dictionary.value(forKey: "a") == nil)
    #expect(dictionary.value(forKey: "abc") == nil)
    #expect(dictionary.hasNullOrSet == false)
    compare(BinaryAssembly(objects).data)
  }

  @Test("is nil unless the root is a dictionary")
  func root() throws {
    #expect(try BinaryDictionary(Plist.write([1, 2], as: .binary)) == nil)
    #expect(try BinaryDictionary(Plist.write("text", as: .binary)) == nil)
    #expect(try BinaryDictionary(Plist.write([:], as: .binary)) != nil)
  }
}

extension PlistValue {
  fileprivate var hasNullOrSet: Bool {
    switch self {
    case .null, .set: true
    case .array(let elements): elements.contains(where: \.hasNullOrSet)
    case .dictionary(let dictionary): dictionary.values.contains(where: \.hasNullOrSet)
    default: false
    }
  }
}
