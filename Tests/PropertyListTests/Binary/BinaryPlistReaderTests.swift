import Foundation
import Testing

@testable import PropertyList

@Suite("The binary reader")
struct BinaryPlistReaderTests {
  // MARK: Accepted documents

  @Test("reads", arguments: BinaryObjectSamples.valid)
  func readsObject(object: [UInt8], value: PlistValue) throws {
    let document = try Plist.read(BinaryAssembly([object]).data)
    #expect(document.format == .binary)
    #expect(document.value == value)
    #expect(document.value.kind == value.kind)
  }

  @Test("keeps the width of a real")
  func width() throws {
    let value = try Plist.read(BinaryAssembly([[0x22, 0x3F, 0xC0, 0, 0]]).data).value
    guard case .float(1.5) = value else {
      Issue.record("\(value)")
      return
    }
  }

  @Test(
    "reads offsets and references of 1 to 8 and of 16 bytes",
    arguments: [1, 2, 3, 4, 5, 6, 7, 8, 16])
  func sizes(size: Int) throws {
    var assembly = BinaryAssembly([
      [0xA2] + BinaryAssembly.bigEndian(1, size: size) + BinaryAssembly.bigEndian(2, size: size),
      [0x09], BinaryAssembly.string("x"),
    ])
    assembly.referenceSize = size
    assembly.offsetSize = size
    #expect(try Plist.read(assembly.data).value == [true, "x"])
  }

  @Test("reads 256 objects with references of one byte, and any object as the top one")
  func manyObjects() throws {
    var objects: [[UInt8]] = (0..<255).map { [0x10, UInt8($0)] }
    objects.append([0xAF, 0x10, 255] + (0..<255).map { UInt8($0) })
    var assembly = BinaryAssembly(objects)
    assembly.topObject = 255
    assembly.offsetSize = 2
    #expect(try Plist.read(assembly.data).value == .array((0..<255).map { .integer($0) }))
  }

  @Test("reads any version of the format's family", arguments: ["0", "1", "2", "3"])
  func versions(version: String) throws {
    var assembly = BinaryAssembly([[0x09]])
    assembly.header = Array("bplist0\(version)".utf8)
    #expect(try Plist.read(assembly.data).value == true)
  }

  @Test("ignores unreachable objects")
  func unreachable() throws {
    #expect(try Plist.read(BinaryAssembly([[0x09], [0xFF]]).data).value == true)
  }

  @Test("shares containers with two references")
  func shared() throws {
    let data = BinaryAssembly([
      [0xA2, 1, 1], [0xD1, 2, 3], BinaryAssembly.string("k"), [0xC1, 4], [0x00],
    ])
    .data
    let inner: PlistValue = ["k": .set([.null])]
    #expect(try Plist.read(data).value == .array([inner, inner]))
  }

  private static let shareable: [([UInt8], PlistValue)] = {
    let long = String(repeating: "long ", count: 20)
    return [
      (BinaryAssembly.string("short"), "short"), ([0x62, 0x00, 0xE9, 0x20, 0xAC], "é€"),
      ([0x5F, 0x10, 100] + long.utf8, .string(long)), ([0x42, 1, 2], .data(Data([1, 2]))),
      ([0x4F, 0x10, 100] + Array(repeating: 7, count: 100), .data(Data(repeating: 7, count: 100))),
    ]
  }()

  @Test("reads strings and data alike with one reference and with many", arguments: shareable)
  func sharedStringOrData(object: [UInt8], value: PlistValue) throws {
    let data = BinaryAssembly([[0xAF, 0x10, 20] + Array(repeating: 1, count: 20), object]).data
    #expect(try Plist.read(data).value == .array(Array(repeating: value, count: 20)))
    guard case .string(let key) = value else { return }
    let keyed = BinaryAssembly([[0xA3, 1, 1, 2], [0xD1, 2, 2], object]).data
    #expect(try Plist.read(keyed).value == [[key: value], [key: value], value])
  }

  @Test("keeps the last value of a repeated key, with a warning at its reference")
  func duplicates() throws {
    let data = BinaryAssembly([
      [0xA1, 1], [0xD2, 2, 2, 3, 4], BinaryAssembly.string("k"), [0x08], [0x09],
    ]).data
    let document = try Plist.read(data)
    #expect(document.value == [["k": true]])
    #expect(
      document.warnings.map(\.description) == [
        "byte 12: the key appears more than once; the last value wins (key path 0.k)"
      ])
  }

  // MARK: Refused documents that are not in Fixtures/malformed/binary

  @Test("refuses files too short for a property list", arguments: 0..<42)
  func refusesShort(length: Int) {
    let data = BinaryAssembly([[0x09]]).data.prefix(length)
    let expected =
      length == 0
      ? "the document is empty; expected a property list"
      : length < 8
        ? "byte 0: the version of the binary format is not supported; expected bplist00"
        : "byte \(length): the trailer is malformed; the file may be cut off: "
          + "the file is too short; expected a header, objects, an offset table and a trailer"
    #expect(readError(Data(data), as: .binary) == expected)
  }

  @Test("counts shared values once for each reference")
  func countsShared() throws {
    var options = PlistReadOptions.with { $0.limits.maximumNodeCount = 7 }
    let data = BinaryAssembly([[0xA2, 1, 1], [0xA2, 2, 2], [0x09]]).data
    #expect(readError(data, options: options) == nil)
    options.limits.maximumNodeCount = 6
    #expect(
      readError(data, options: options)
        == "byte 8: the document contains more than 6 values (key path 1)")
  }

  @Test("checks the depth of a shared container at each reference")
  func sharedDepth() throws {
    var options = PlistReadOptions.with { $0.limits.maximumDepth = 4 }
    // The chain 2, 3, 4 is first read at depth 2, then referenced at depth 3.
    let data = BinaryAssembly([[0xA2, 2, 1], [0xA1, 2], [0xA1, 3], [0xA1, 4], [0x09]]).data
    #expect(readError(data, options: options) == nil)
    options.limits.maximumDepth = 3
    #expect(
      readError(data, options: options)
        == "byte 11: containers are nested deeper than 3 levels (key path 1.0)")
  }
}
