import Foundation
import Testing

@testable import PropertyList

@Suite("The binary writer")
struct BinaryPlistWriterTests {
  static let leaves: [(PlistValue, [UInt8])] = [
    (.null, [0x00]), (false, [0x08]), (true, [0x09]), (0, [0x10, 0]), (255, [0x10, 255]),
    (256, [0x11, 1, 0]), (65535, [0x11, 255, 255]), (65536, [0x12, 0, 1, 0, 0]),
    (.integer(1 << 32), [0x13, 0, 0, 0, 1, 0, 0, 0, 0]),
    (-1, [0x13, 255, 255, 255, 255, 255, 255, 255, 255]),
    (.integer(.max), [0x13, 0x7F, 255, 255, 255, 255, 255, 255, 255]),
    (.unsignedInteger(5), [0x10, 5]),
    (
      .unsignedInteger(1 << 63),
      [0x14] + Array(repeating: 0, count: 8) + [0x80, 0, 0, 0, 0, 0, 0, 0]
    ),
    (1.5, [0x23, 0x3F, 0xF8, 0, 0, 0, 0, 0, 0]), (.float(1.5), [0x22, 0x3F, 0xC0, 0, 0]),
    (-0.0, [0x23, 0x80, 0, 0, 0, 0, 0, 0, 0]),
    (.time(0.25), [0x33, 0x3F, 0xD0, 0, 0, 0, 0, 0, 0]),
    (.data(Data([1, 2])), [0x42, 1, 2]),
    (.data(Data(repeating: 7, count: 15)), [0x4F, 0x10, 15] + Array(repeating: 7, count: 15)),
    ("ab", [0x52, 0x61, 0x62]), ("é", [0x61, 0x00, 0xE9]), ("😀", [0x62, 0xD8, 0x3D, 0xDE, 0x00]),
    (.uid(5), [0x80, 5]), (.uid(256), [0x81, 1, 0]), (.uid(.max), [0x83, 255, 255, 255, 255]),
    ([], [0xA0]), (.set([]), [0xC0]), ([:], [0xD0]),
  ]

  @Test("writes", arguments: leaves)
  func leaf(value: PlistValue, object: [UInt8]) throws {
    let data = try Plist.write(value, as: .binary)
    #expect(Array(data) == Array(BinaryAssembly([object]).data))
    let again = try Plist.read(data).value
    #expect(again == value)
  }

  @Test("writes containers before their contents, keys before values, in sorted order")
  func order() throws {
    let data = try Plist.write(["b": [true, "b"], "a": .set([1])], as: .binary)
    let expected = BinaryAssembly([
      [0xD2, 1, 2, 3, 5], BinaryAssembly.string("a"), BinaryAssembly.string("b"), [0xC1, 4],
      [0x10, 1],
      [0xA2, 6, 2], [0x09],
    ]).data
    #expect(Array(data) == Array(expected))
  }

  @Test("writes leaves of equal type and bits once")
  func unique() throws {
    let distinct: [PlistValue] = [
      1, 1.0, .float(1.0), true, "1", 0.0, -0.0, .time(1),
      .data(Data([0x31])), .uid(1), "\u{E9}", "e\u{301}", .real(.nan), .real(-.infinity), .null,
      false,
    ]
    let data = try Plist.write(
      .array(distinct + distinct + distinct.reversed()), as: .binary)
    #expect(data[data.count - 32 + 15] == UInt8(distinct.count + 1))
    let again = try Plist.read(data).value
    #expect(again == .array(distinct + distinct + distinct.reversed()))
    // Equality ignores the sign of zero and the width of reals.
    if case .array(let elements) = again {
      if case .real(let zero) = elements[6] { #expect(zero.sign == .minus) }
      guard case .float = elements[2] else {
        Issue.record("the width of a float is lost")
        return
      }
    }
  }

  @Test("writes equal long strings once, with or without shared storage")
  func uniqueLong() throws {
    let text = String(repeating: "long ", count: 400)
    let other = String(decoding: Array(text.utf8), as: UTF8.self)
    let value: PlistValue = [.string(text), .string(other), [.string(text)], .string(text + "er")]
    let data = try Plist.write(value, as: .binary)
    #expect(data[data.count - 32 + 15] == 4)
    #expect(try Plist.read(data).value == value)
  }

  @Test("writes equal long data once, in its place, with or without shared storage")
  func uniqueLongData() throws {
    let block = Array(repeating: UInt8(7), count: 513)
    let data = Data(block)
    let value: PlistValue = [
      "a": .data(data), "b": [.data(Data(block)), "text"], "c": .data(data),
    ]
    let length: [UInt8] = [0x4F, 0x11, 2, 1]
    var expected = BinaryAssembly([
      [0xD3, 1, 2, 3, 4, 5, 4], BinaryAssembly.string("a"), BinaryAssembly.string("b"),
      BinaryAssembly.string("c"), length + block, [0xA2, 4, 6], BinaryAssembly.string("text"),
    ])
    expected.offsetSize = 2
    #expect(try Array(Plist.write(value, as: .binary)) == Array(expected.data))
  }

  @Test(
    "writes long data that differs in a byte twice",
    arguments: [255, 256, 511, 512, 513, 514, 545, 600])
  func differentLongData(count: Int) throws {
    let original = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    for position in original.indices {
      var changed = original
      changed[position] ^= 0x10
      let value: PlistValue = [
        .data(Data(original)), .data(Data(changed)), .data(Data(original)), "text",
      ]
      let data = try Plist.write(value, as: .binary)
      #expect(data[data.count - 32 + 15] == 4)
      #expect(try Plist.read(data).value == value)
    }
  }

  @Test("writes equal strings once among very many", arguments: [30, 700])
  func uniqueAmongMany(short: Int) throws {
    let texts = (0..<60_000).map { index -> String in
      switch index % 4 {
      case 0: "the text with the number \(index)"
      case 1: "short \(index % short)"
      // Some equal the last text, others one long before.
      default: "the text with the number \(index / 8 * 4)"
      }
    }
    let value = PlistValue.array(texts.map { .string($0) })
    let data = try Plist.write(value, as: .binary)
    #expect(try Plist.read(data).value == value)
    let count = data.suffix(24).prefix(8).reduce(0) { $0 << 8 | Int($1) }
    #expect(count == Set(texts).count + 1)
  }

  @Test("names the key that exceeds the limit", arguments: [PlistFormat.binary, .xml])
  func longKey(format: PlistFormat) {
    let options = PlistWriteOptions.with { $0.limits.maximumNodeCount = 3 }
    let key = String(repeating: "k", count: 200)
    #expect(
      writeError(["a": [key: 1]], as: format, options: options)
        == "the document contains more than 3 values (key path a.\(key.prefix(198))…)")
  }

  @Test(
    "writes references of two bytes from 256 objects on",
    arguments: [(254, 1), (255, 2), (256, 2), (65534, 2), (65535, 4)])
  func references(count: Int, size: Int) throws {
    let value = PlistValue.array((0..<count).map { .integer(Int64($0)) })
    let data = try Plist.write(value, as: .binary)
    #expect(Int(data[data.count - 32 + 7]) == size)
    #expect(try Plist.read(data).value == value)
  }

  @Test("refuses a date that is not a number")
  func dates() {
    let date = PlistValue.time(.nan)
    #expect(
      writeError(["a": [date]], as: .binary)
        == "the date is NaN; expected a point in time (key path a.0)")
  }
}
