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

  @Test("distinguishes keys by their bytes")
  func keys() throws {
    let data = BinaryAssembly([
      [0xD3, 1, 2, 3, 4, 4, 4], [0x50], [0x61, 0x00, 0xE9], [0x62, 0x00, 0x65, 0x03, 0x01], [0x09],
    ]).data
    let document = try Plist.read(data)
    #expect(document.value == ["": true, "\u{E9}": true, "e\u{301}": true])
    #expect(document.warnings == [])
  }

  // MARK: Refused documents

  @Test("refuses", arguments: BinaryObjectSamples.malformed)
  func refusesObject(object: [UInt8], error: String) {
    #expect(readError(BinaryAssembly([object]).data) == error)
  }

  private static let hugeCounts: [UInt64] = [
    1 << 31, (1 << 31) - 1, (1 << 32) - 1, (1 << 63) - 1, 1 << 63, .max,
  ]

  @Test(
    "refuses a length that the file cannot hold, before anything is allocated",
    arguments: [0x4F, 0x5F, 0x6F, 0xAF, 0xCF, 0xDF] as [UInt8], hugeCounts)
  func refusesLength(marker: UInt8, count: UInt64) {
    let object = [marker, 0x13] + BinaryAssembly.bigEndian(count, size: 8) + [1, 2, 3, 4]
    #expect(
      readError(BinaryAssembly([object]).data)
        == "byte 8: the object extends beyond the object area")
  }

  @Test("refuses a huge number in the trailer or the offset table", arguments: hugeCounts)
  func refusesHugeNumbers(number: UInt64) {
    var assembly = BinaryAssembly([[0x09]])
    assembly.objectCount = number
    #expect(
      readError(assembly.data)
        == "byte 34: the trailer is malformed; the file may be cut off: "
        + "expected the offset table to reach from its offset to the trailer")
    assembly = BinaryAssembly([[0x09]])
    assembly.topObject = number
    #expect(
      readError(assembly.data)
        == "byte 26: the trailer is malformed; the file may be cut off: expected the top object to be one of the objects"
    )
    assembly = BinaryAssembly([[0x09]])
    assembly.tableOffset = number
    #expect(
      readError(assembly.data)
        == "byte 34: the trailer is malformed; the file may be cut off: "
        + "expected the offset table to reach from its offset to the trailer")
    assembly = BinaryAssembly([[0x09]])
    assembly.offsetSize = 8
    assembly.offsets[0] = number
    #expect(readError(assembly.data) == "byte 9: the offset of object 0 is outside the object area")
  }

  // The bytes of the offset table would be valid contents.
  @Test(
    "refuses a string or data that reaches into the offset table",
    arguments: [[0x52, 0x61], [0x42, 1], [0x61, 0x00]] as [[UInt8]])
  func refusesOverlap(last: [UInt8]) {
    var assembly = BinaryAssembly([[0x09], last])
    assembly.topObject = 1
    #expect(readError(assembly.data) == "byte 9: the object extends beyond the object area")
  }

  @Test(
    "refuses offsets into header, table and trailer", arguments: [0, 7, 9, 10, 17, 200] as [UInt64])
  func refusesOffsets(offset: UInt64) {
    var assembly = BinaryAssembly([[0x09]])
    assembly.offsets[0] = offset
    #expect(readError(assembly.data) == "byte 9: the offset of object 0 is outside the object area")
  }

  @Test("refuses trailers that contradict the file")
  func refusesTrailers() {
    func error(_ change: (inout BinaryAssembly) -> Void) -> String? {
      var assembly = BinaryAssembly([[0x09]])
      change(&assembly)
      return readError(assembly.data)
    }
    #expect(error { _ in } == nil)
    #expect(
      error { $0.objectCount = 0 }
        == "byte 18: the trailer is malformed; the file may be cut off: expected at least one object"
    )
    #expect(
      error { $0.objectCount = 2 }
        == "byte 34: the trailer is malformed; the file may be cut off: "
        + "expected the offset table to reach from its offset to the trailer")
    #expect(
      error { $0.topObject = 1 }
        == "byte 26: the trailer is malformed; the file may be cut off: expected the top object to be one of the objects"
    )
    #expect(
      error { $0.tableOffset = 8 }
        == "byte 34: the trailer is malformed; the file may be cut off: "
        + "expected the offset table to reach from its offset to the trailer")
    #expect(
      error { $0.trailing = [0] }
        == "byte 18: the trailer is malformed; the file may be cut off: "
        + "expected references of 1 to 8 bytes that reach every object")
    #expect(
      error { $0.header = Array("bplist10".utf8) }
        == "byte 0: the version of the binary format is not supported; expected bplist00")
  }

  @Test("refuses sizes that no number has", arguments: [0, 9, 15, 17, 255])
  func refusesSizes(size: Int) {
    var offsets = BinaryAssembly([[0x09], [0x09]])
    offsets.offsetSize = size
    #expect(
      readError(offsets.data)
        == "byte \(16 + 2 * size): the trailer is malformed; the file may be cut off: "
        + "expected offsets of 1 to 8 bytes that reach the offset table")
    var references = BinaryAssembly([[0x09]])
    references.referenceSize = size
    #expect(
      readError(references.data)
        == "byte 17: the trailer is malformed; the file may be cut off: "
        + "expected references of 1 to 8 bytes that reach every object")
  }

  @Test("refuses sizes too small for the number of objects or the offset of the table")
  func refusesSmallSizes() {
    var many = BinaryAssembly(Array(repeating: [0x09], count: 257))
    many.offsetSize = 2
    #expect(
      readError(many.data)
        == "byte \(8 + 257 * 3 + 7): the trailer is malformed; the file may be cut off: "
        + "expected references of 1 to 8 bytes that reach every object")
    many.offsetSize = 1
    many.referenceSize = 2
    #expect(
      readError(many.data)
        == "byte \(8 + 257 * 2 + 6): the trailer is malformed; the file may be cut off: "
        + "expected offsets of 1 to 8 bytes that reach the offset table")
  }

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

  @Test("refuses cycles through arrays, dictionaries and sets")
  func refusesCycles() {
    #expect(
      readError(BinaryAssembly([[0xA1, 1], [0xC1, 2], [0xA1, 0]]).data)
        == "byte 8: the container contains itself (key path 0.0.0)")
    #expect(
      readError(BinaryAssembly([[0xA1, 1], [0xD1, 2, 1], BinaryAssembly.string("k")]).data)
        == "byte 10: the container contains itself (key path 0.k)")
  }

  @Test("refuses the 151-byte bomb of shared references at once")
  func refusesBomb() {
    // Each of ten arrays refers to the next one ten times: 10^10 values.
    var objects: [[UInt8]] = (1...9).map { [0xAA] + Array(repeating: UInt8($0), count: 10) }
    objects.append(BinaryAssembly.string("x"))
    let data = BinaryAssembly(objects).data
    #expect(data.count == 151)
    #expect(
      readError(data)
        == "byte 19: the document contains more than 50000000 values (key path 0.4)")
  }

  @Test("counts shared values once for each reference")
  func countsShared() throws {
    var options = PlistReadOptions()
    options.limits.maximumNodeCount = 7
    let data = BinaryAssembly([[0xA2, 1, 1], [0xA2, 2, 2], [0x09]]).data
    #expect(readError(data, options: options) == nil)
    options.limits.maximumNodeCount = 6
    #expect(
      readError(data, options: options)
        == "byte 8: the document contains more than 6 values (key path 1)")
  }

  @Test("checks the depth of a shared container at each reference")
  func sharedDepth() throws {
    var options = PlistReadOptions()
    options.limits.maximumDepth = 4
    // The chain 2, 3, 4 is first read at depth 2, then referenced at depth 3.
    let data = BinaryAssembly([[0xA2, 2, 1], [0xA1, 2], [0xA1, 3], [0xA1, 4], [0x09]]).data
    #expect(readError(data, options: options) == nil)
    options.limits.maximumDepth = 3
    #expect(
      readError(data, options: options)
        == "byte 11: containers are nested deeper than 3 levels (key path 1.0)")
  }
}
