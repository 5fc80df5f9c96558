import Foundation
import TestSupport
import Testing

@testable import PropertyList

@Suite("A binary property list read in parts from its file")
struct BinaryPlistDocumentTests {
  private let folder: DocumentFolder

  init() throws {
    folder = try DocumentFolder()
  }

  // MARK: Agreement

  /// Compares a value and everything it contains with what the document returns.
  private func compare(
    _ value: PlistValue, at path: [String] = [], in document: BinaryPlistDocument
  ) throws {
    let keyPath = PlistKeyPath(components: path)
    #expect(try document.kind(at: keyPath) == value.kind)
    #expect(try document.value(at: keyPath) == value)
    switch value {
    case .dictionary(let dictionary):
      for (key, value) in dictionary { try compare(value, at: path + [key], in: document) }
      try expectNothing(at: path + ["a key that does not exist"], in: document)
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        try compare(element, at: path + [String(index)], in: document)
      }
      for index in [String(elements.count), "-1", "+0", "x"] {
        try expectNothing(at: path + [index], in: document)
      }
    default:
      try expectNothing(at: path + ["0"], in: document)
    }
  }

  private func expectNothing(at path: [String], in document: BinaryPlistDocument) throws {
    let path = PlistKeyPath(components: path)
    #expect(try document.value(at: path) == nil)
    #expect(try document.kind(at: path) == nil)
  }

  private static let fixtures = FixtureIndex.wellFormed.filter {
    $0.format == .binary && !$0.name.contains("depth")
  }

  @Test("returns what the reader returns, at every path of every fixture", arguments: fixtures)
  func fixture(fixture: Fixture) throws {
    try compare(try fixture.read().value, in: try folder.open(try fixture.data()))
  }

  @Test("is compared with the reader on more than 50 fixtures")
  func fixtureCount() { #expect(Self.fixtures.count > 50) }

  @Test(
    "refuses a malformed document as the reader does",
    arguments: FixtureIndex.malformed.filter {
      $0.format == .binary && $0.stem != "offset-of-unreachable-object"
    })
  func malformed(fixture: Fixture) throws {
    let data = try fixture.data()
    let error = errorText { _ = try folder.open(data).value(at: PlistKeyPath()) }
    // The key path of the defect is not always known.
    let message = fixture.messages.first?.split(separator: " (key path").first.map(String.init)
    #expect(error?.split(separator: " (key path").first.map(String.init) == message)
  }

  /// Reads everything that can be found from the root down to a depth.
  private func explore(_ document: BinaryPlistDocument, depth: Int = 4) throws {
    var paths = [PlistKeyPath()]
    while let path = paths.popLast() {
      let value = try? document.value(at: path)
      let kind = try document.kind(at: path)
      guard path.components.count < depth else { continue }
      var parts = kind == .array ? (0..<50).map(String.init) : []
      if case .dictionary(let dictionary) = value { parts = Array(dictionary.keys) }
      for part in parts { paths.append(PlistKeyPath(components: path.components + [part])) }
    }
  }

  @Test(
    "with a flipped bit returns what the reader returns, throws, or does not reach the damage")
  func bitFlips() throws {
    let data = try Plist.write(PlistFormat.binary.golden, as: .binary)
    var agreements = 0
    for position in data.indices {
      for bit in TestScale.share(of: 0..<8, one: 5) {
        var damaged = data
        damaged[position] ^= 1 << UInt8(bit)
        guard let document = try? folder.open(damaged) else {
          #expect(readError(damaged, as: .binary) != nil)
          continue
        }
        try? explore(document)
        if let value = try? Plist.read(damaged, as: .binary).value {
          agreements += 1
          #expect(try document.value(at: PlistKeyPath()) == value)
          #expect(
            try document.value(at: PlistKeyPath("nested.again"))
              == value[PlistKeyPath("nested.again")])
        }
      }
    }
    #expect(agreements > 100)
  }

  @Test("cannot be opened if it is truncated at any byte")
  func truncation() throws {
    let data = try Plist.write(PlistFormat.binary.golden, as: .binary)
    for length in data.indices {
      let error = errorText { _ = try folder.open(Data(data.prefix(length))) }
      #expect(error == readError(Data(data.prefix(length)), as: .binary))
    }
  }

  // MARK: Keys and paths

  @Test("returns the last value of a repeated key, in either encoding")
  func equalKeys() throws {
    // The same key in ASCII and in UTF-16, then two that only look alike, and an empty one.
    let objects: [[UInt8]] = [
      [0xD6, 1, 2, 3, 4, 5, 11, 6, 7, 8, 9, 10, 10], BinaryAssembly.string("ab"),
      [0x62, 0, 0x61, 0, 0x62], [0x61, 0x00, 0xE9], [0x62, 0x00, 0x65, 0x03, 0x01], [0x50],
      [0x10, 1], [0x10, 2], [0x10, 3], [0x10, 4], [0x10, 5],
      [0x5F, 0x10, 1, UInt8(ascii: "l")],
    ]
    let data = BinaryAssembly(objects).data
    let document = try folder.open(data)
    try compare(try Plist.read(data).value, in: document)
    #expect(try document.value(at: PlistKeyPath("ab")) == 2)
  }

  @Test("ignores damage outside the path to a value, and reports it on the path")
  func damageElsewhere() throws {
    // {"a": [1, an object of no type], "b": a cycle, "c": "text"}
    let objects: [[UInt8]] = [
      [0xD3, 1, 2, 3, 4, 5, 6], BinaryAssembly.string("a"), BinaryAssembly.string("b"),
      BinaryAssembly.string("c"), [0xA2, 7, 8], [0xA1, 5], BinaryAssembly.string("text"),
      [0x10, 1], [0x70],
    ]
    let document = try folder.open(BinaryAssembly(objects).data)
    #expect(try document.value(at: PlistKeyPath("c")) == "text")
    #expect(try document.value(at: PlistKeyPath("a.0")) == 1)
    #expect(try document.kind(at: PlistKeyPath("a")) == .array)
    #expect(
      errorText { _ = try document.value(at: PlistKeyPath("a")) }
        == "byte 33: the object type 0x70 is not supported (key path a.1)")
    #expect(
      errorText { _ = try document.kind(at: PlistKeyPath("a.1")) }
        == "byte 33: the object type 0x70 is not supported (key path a.1)")
    #expect(
      errorText { _ = try document.value(at: PlistKeyPath("b")) }
        == "byte 24: the container contains itself (key path b.0)")
    #expect(
      errorText { _ = try document.kind(at: PlistKeyPath("b.0.0")) }
        == "byte 24: the container contains itself (key path b)")
    #expect(
      errorText { _ = try document.value(at: PlistKeyPath()) }
        == "byte 33: the object type 0x70 is not supported (key path a.1)")
  }

  @Test("limits the depth from the root, and the nodes of each value")
  func limits() throws {
    var value: PlistValue = "innermost"
    for _ in 0..<512 { value = [value] }
    let data = try Plist.write([[value], [1, 2, 3]][0], as: .binary, options: deep)
    let document = try folder.open(data)
    func path(_ count: Int) -> PlistKeyPath {
      PlistKeyPath(components: Array(repeating: "0", count: count))
    }
    #expect(try document.kind(at: path(512)) == .array)
    let message = "containers are nested deeper than 512 levels"
    #expect(errorText { _ = try document.kind(at: path(513)) }?.contains(message) == true)
    #expect(errorText { _ = try document.value(at: path(512)) }?.contains(message) == true)
    #expect(errorText { _ = try document.value(at: path(3)) }?.contains(message) == true)

    var limits = PlistLimits()
    limits.maximumNodeCount = 3
    let wide = try Plist.write(["few": [1, 2], "many": [1, 2, 3]], as: .binary)
    let narrow = try folder.open(wide, limits: limits)
    #expect(try narrow.value(at: PlistKeyPath("few")) == [1, 2])
    #expect(
      errorText { _ = try narrow.value(at: PlistKeyPath("many")) }?.hasSuffix(
        "the document contains more than 3 values (key path many.2)") == true)
    limits.maximumSize = 10
    #expect(
      errorText { _ = try folder.open(wide, limits: limits) }
        == "the document is larger than 10 bytes")
  }

  private var deep: PlistWriteOptions {
    var options = PlistWriteOptions()
    options.limits.maximumDepth = 1000
    return options
  }

  @Test("limits the size of values with overlapping objects")
  func overlap() throws {
    func references(_ numbers: ClosedRange<UInt64>) -> [UInt8] {
      numbers.flatMap { BinaryAssembly.bigEndian($0, size: 2) }
    }
    let text: [UInt8] = [0x5F, 0x11, 0x03, 0xE8] + Array(repeating: 0x61, count: 1000)
    let list: [UInt8] = [0xAF, 0x11, 0x03, 0xE8] + references(1...1000)
    var assembly = BinaryAssembly([list, text] + Array(repeating: [], count: 999) + [[0x09]])
    assembly.referenceSize = 2
    assembly.offsetSize = 2
    for object in 2...1000 { assembly.offsets[object] = UInt64(8 + list.count) }
    let document = try folder.open(assembly.data)
    #expect(
      errorText { _ = try document.value(at: PlistKeyPath()) }
        == "byte 2012: the objects overlap; expected each to have its own bytes")
    #expect(
      try document.value(at: PlistKeyPath("999")) == .string(String(repeating: "a", count: 1000)))
  }
}
