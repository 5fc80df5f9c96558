import Foundation
import TestSupport
import Testing

@testable import PropertyList

/// Input made to crash, hang or exhaust a reader. Every format refuses it with an error or reads
/// it.
@Suite("Hostile input")
struct HostileInputTests {
  // MARK: Depth

  static func nestedXML(_ depth: Int) -> Data {
    Data(
      ("<plist>" + String(repeating: "<array>", count: depth)
        + String(repeating: "</array>", count: depth) + "</plist>").utf8)
  }

  static func nestedBinary(_ depth: Int) -> Data {
    var assembly = BinaryAssembly(
      (1..<max(depth, 2)).map { [0xA1] + BinaryAssembly.bigEndian(UInt64($0), size: 4) } + [[0xA0]])
    assembly.referenceSize = 4
    assembly.offsetSize = 4
    return assembly.data
  }

  static func nestedText(_ opening: String, _ closing: String, _ depth: Int) -> Data {
    Data((String(repeating: opening, count: depth) + String(repeating: closing, count: depth)).utf8)
  }

  @Test(
    "512 levels are read and written, 513 and 100,000 are refused", arguments: PlistFormat.allCases)
  func depth(format: PlistFormat) throws {
    for depth in [511, 512] {
      let document = try Plist.read(format.nested(depth))
      #expect(document.format == format)
      for other in PlistFormat.allCases {
        let written = try Plist.write(document.value, as: other)
        #expect(try Plist.read(written).value == document.value)
      }
      #expect(Set([document.value]).contains(document.value))
    }
    let path = Array(repeating: "0", count: 512).joined(separator: ".").prefix(200) + "…"
    for depth in [513, 100_000] {
      #expect(
        readError(format.nested(depth))
          == "\(format.placeTooDeep): containers are nested deeper than 512 levels "
          + "(key path \(path))")
    }
  }

  @Test("a value deeper than 512 levels is not written", arguments: PlistFormat.allCases)
  func writingDepth(format: PlistFormat) {
    var value: PlistValue = []
    for _ in 0..<512 { value = [value] }
    let path = Array(repeating: "0", count: 512).joined(separator: ".").prefix(200) + "…"
    #expect(
      writeError(value, as: format)
        == "containers are nested deeper than 512 levels (key path \(path))")
  }

  @Test("values of the greatest depth can be compared and released on a small stack")
  func stack() throws {
    let data = Self.nestedBinary(512)
    let results = Recorder<Bool>()
    // A quarter of what threads have on Linux, to leave room in debug builds.
    let thread = TestThread(stackSize: 2 << 20) {
      results.record((try? Plist.read(data).value == Plist.read(data).value) == true)
    }
    #expect(thread.join())
    #expect(results.all == [true])
  }

  // MARK: Markup

  @Test("an element with 100,000 attributes is refused before libxml2 takes it apart")
  func attributes() {
    let attributes = (0..<100_000).map { "a\($0)='>'" }.joined(separator: " ")
    #expect(
      readError("<plist><dict \(attributes)/></plist>")
        == "line 1 column 8: a tag, comment or CDATA section is longer than 65536 bytes")
  }

  @Test(
    "long comments and processing instructions are refused, and the limit can be raised",
    arguments: [("<!--", "-->"), ("<?a ", "?>")])
  func longMarkup(opening: String, closing: String) {
    let long = String(repeating: "x", count: 100_000)
    let data = Data("<plist>\(opening)\(long)\(closing)<true/></plist>".utf8)
    #expect(
      readError(data)
        == "line 1 column 8: a tag, comment or CDATA section is longer than 65536 bytes")
    let options = PlistReadOptions.with { $0.limits.maximumMarkupLength = 1 << 20 }
    #expect(readError(data, options: options) == nil)
  }

  @Test("an external entity, parameter entity or DTD is never loaded")
  func externalEntities() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "larder-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let secret = folder.appendingPathComponent("secret")
    try Data("<!ENTITY e \"secret\">".utf8).write(to: secret)

    let subset = "the DOCTYPE has an internal subset; property lists must not define entities"
    for declaration in [
      "<!ENTITY e SYSTEM \"\(secret.path)\">", "<!ENTITY % e SYSTEM \"\(secret.path)\">%e;",
    ] {
      let text = "<!DOCTYPE plist [\(declaration)]><plist><string>&e;</string></plist>"
      #expect(readError(text) == "line 1 column 1: \(subset)")
    }
    let dtd = "<!DOCTYPE plist SYSTEM \"\(secret.path)\"><plist><string>&e;</string></plist>"
    #expect(
      readError(dtd)?.hasSuffix(
        "the entity is not defined; expected &amp;, &lt;, &gt;, &apos; or &quot;") == true)
  }

  @Test("an element of more than 256 attributes is refused")
  func manyAttributes() {
    func document(_ count: Int) -> Data {
      let attributes = (0..<count).map { "a\($0)=''" }.joined(separator: " ")
      return Data("<plist>\n <true \(attributes)/></plist>".utf8)
    }
    #expect(readError(document(256)) == nil)
    #expect(readError(document(257)) == "line 2 column 2: the tag has more than 256 attributes")
  }

  // MARK: Overlap

  @Test("objects that overlap cannot describe more than the file holds")
  func overlap() {
    // Each of 1000 strings is the same 1000 bytes; each of 100 arrays the same 100 references.
    func references(_ numbers: ClosedRange<UInt64>) -> [UInt8] {
      numbers.flatMap { BinaryAssembly.bigEndian($0, size: 2) }
    }
    let text: [UInt8] = [0x5F, 0x11, 0x03, 0xE8] + Array(repeating: 0x61, count: 1000)
    let array: [UInt8] =
      [0xAF, 0x11, 0x01, 0xF4]
      + Array(repeating: BinaryAssembly.bigEndian(1001, size: 2), count: 500).joined()
    let list: [UInt8] = [0xAF, 0x11, 0x03, 0xE8] + references(1...1000)
    for content in [text, array] {
      var assembly = BinaryAssembly([list, content] + Array(repeating: [], count: 999) + [[0x09]])
      assembly.referenceSize = 2
      assembly.offsetSize = 2
      for object in 2...1000 { assembly.offsets[object] = UInt64(8 + list.count) }
      #expect(
        readError(assembly.data)?.contains(
          "the objects overlap; expected each to have its own bytes") == true)
    }
  }

  @Test("a long string counts for its length each time that it appears")
  func longShared() {
    let text: [UInt8] =
      [0x5F, 0x12, 0x00, 0x0F, 0x42, 0x40] + Array(repeating: 0x61, count: 1_000_000)
    let list: [UInt8] =
      [0xAF, 0x11, 0x27, 0x10] + Array(repeating: [0, 1], count: 10_000).joined()
    var assembly = BinaryAssembly([list, text])
    assembly.referenceSize = 2
    assembly.offsetSize = 4
    #expect(
      readError(assembly.data)
        == "byte 8: the document contains more than 50000000 values (key path 3199)")
  }

  @Test(
    "what is written is within the limits of whoever reads it",
    arguments: PlistFormat.allCases)
  func sameLimits(format: PlistFormat) throws {
    let long = String(repeating: "a", count: 1000)
    let values: [PlistValue] = [
      .uid(1), [.uid(1), .uid(2)], .string(long), [.string(long), 1], .dictionary([long: 1]),
      .string(String(repeating: "é", count: 500)), .data(Data(count: 640)), ["a": ["b": [1, 2]]],
    ]
    var options = format.writeOptions
    options.allowsLossyConversion = true
    for value in values where format.refusal(of: value)?.contains("UID") != true {
      var readOptions = format.readOptions
      for nodes in 1...50 {
        options.limits.maximumNodeCount = nodes
        readOptions.limits.maximumNodeCount = nodes
        guard let data = try? Plist.write(value, as: format, options: options) else {
          continue
        }
        #expect(readError(data, as: format, options: readOptions) == nil, "\(value) in \(nodes)")
      }
      // The last limit is far above what any of the values takes.
      #expect(writeError(value, as: format, options: options) == nil)
    }
  }

  @Test("a UID that XML would spell one level too deep is not written")
  func deepUID() throws {
    var value = PlistValue.uid(1)
    for _ in 0..<511 { value = [value] }
    #expect(try Plist.read(Plist.write(value, as: .xml)).value == value)
    #expect(
      writeError([value], as: .xml)?.hasPrefix("containers are nested deeper than 512 levels")
        == true)
    #expect(writeError([value], as: .binary) == nil)
  }

  @Test("reals that differ in the bits of NaN alone do not slow the writer down")
  func manyNaNs() throws {
    let values = (1...50_000).map {
      PlistValue.real(Double(bitPattern: 0x7FF8_0000_0000_0000 + $0))
    }
    let data = try Plist.write(.array(values), as: .binary)
    #expect(data.count > 50_000 * 9)
  }

  // MARK: Limits

  private static func nodes(_ count: Int) -> PlistReadOptions {
    .with { $0.limits.maximumNodeCount = count }
  }

  private static func levels(_ depth: Int) -> PlistReadOptions {
    .with { $0.limits.maximumDepth = depth }
  }

  private static let longKey = String(repeating: "a", count: 200)
  private static let limited: [(PlistFormat, PlistReadOptions, String, String?)] = [
    (.xml, nodes(4), "<plist><array><true/><true/><true/></array></plist>", nil),
    (
      .xml, nodes(4), "<plist><array><true/><true/><true/><true/></array></plist>",
      "line 1 column 41: the document contains more than 4 values (key path 3)"
    ),
    (
      .xml, .with { $0.limits.maximumSize = 10 }, "<plist><true/></plist>",
      "the document is larger than 10 bytes"
    ),
    (
      .json, levels(1), "{\"a\": []}",
      "line 1 column 7: containers are nested deeper than 1 levels (key path a)"
    ),
    (.json, nodes(3), "[1,2]", nil),
    (
      .json, nodes(3), "[1,2,\n3]",
      "line 2 column 1: the document contains more than 3 values (key path 2)"
    ),
    (
      .json, nodes(3), "{\"\(longKey)\": 1}",
      "line 1 column 2: the document contains more than 3 values"
    ),
    (.json, .with { $0.limits.maximumSize = 4 }, "[1,2]", "the document is larger than 4 bytes"),
    (
      .openStep, levels(1), "{a = ();}",
      "line 1 column 6: containers are nested deeper than 1 levels (key path a)"
    ),
    (.openStep, nodes(3), "{a; b;}", nil),
    (
      .openStep, nodes(3), "{a; b; c;}",
      "line 1 column 8: the document contains more than 3 values (key path c)"
    ),
    (
      .openStep, nodes(3), "(a, b,\nc)",
      "line 2 column 1: the document contains more than 3 values (key path 2)"
    ),
  ]

  @Test("a document beyond the limits of depth, nodes and size is refused", arguments: limited)
  func limits(format: PlistFormat, options: PlistReadOptions, text: String, error: String?) {
    #expect(readError(text, as: format, options: options) == error)
  }

  @Test(
    "a value beyond the limits of nodes and size is not written", arguments: PlistFormat.allCases)
  func writingLimits(format: PlistFormat) {
    var writeOptions = format.writeOptions
    writeOptions.limits.maximumNodeCount = 4
    #expect(writeError([1, [2]], as: format, options: writeOptions) == nil)
    #expect(
      writeError([1, [2, 3]], as: format, options: writeOptions)
        == "the document contains more than 4 values (key path 1.1)")
    writeOptions = format.writeOptions
    writeOptions.limits.maximumSize = 1000
    let numbers = PlistValue.array((0..<1000).map { .integer($0) })
    #expect(
      writeError(numbers, as: format, options: writeOptions)?.hasPrefix(
        "the document is larger than 1000 bytes") == true)
  }

  // MARK: Damage

  @Test("a document cut off at any byte is an error", arguments: PlistFormat.allCases)
  func truncation(format: PlistFormat) throws {
    let data = try Plist.write(format.golden, as: format, options: format.writeOptions)
    let whole = data.count - format.spareBytes
    for length in 0..<data.count {
      let error = readError(data.prefix(length), as: format, options: format.readOptions)
      #expect((error == nil) == (length >= whole), "cut at \(length): \(error ?? "read")")
    }
    let text = Data(format.text.utf8)
    // A comment alone is an empty document, and so is its first character a bare word.
    let comment = format == .openStep ? Set(1..."// comment\n".utf8.count) : []
    for length in text.indices {
      let error = readError(text.prefix(length), as: format)
      #expect((error == nil) == comment.contains(length), "cut at \(length): \(error ?? "read")")
    }
  }

  @Test("a document with any bit flipped is read or refused", arguments: PlistFormat.allCases)
  func bitFlips(format: PlistFormat) throws {
    let golden = try Plist.write(format.golden, as: format, options: format.writeOptions)
    for (data, bits) in [(golden, TestScale.isLong ? 8 : 1), (Data(format.text.utf8), 8)] {
      var read = 0
      for position in data.indices {
        for bit in position..<position + bits {
          var damaged = data
          damaged[position] ^= 1 << UInt8(bit % 8)
          do throws(PlistError) {
            let document = try Plist.read(damaged, as: format, options: format.readOptions)
            // A value that was read can be used like any other.
            let binary = try Plist.write(document.value, as: .binary)
            #expect(try Plist.read(binary).value == document.value)
            read += 1
          } catch {
            #expect(error.location != nil, "bit \(bit % 8) of byte \(position): \(error)")
          }
        }
      }
      #expect(read > 0 || data.isEmpty)
    }
  }

  // MARK: Keys

  @Test(
    "keys that are empty, alike to the eye, or of any character are kept apart",
    arguments: PlistFormat.allCases)
  func keys(format: PlistFormat) throws {
    var dictionary: PlistDictionary = ["": "empty", "\u{E9}": "composed", "e\u{301}": "decomposed"]
    for key in ["a b", "//", "/* */", "'", "a\tb", "true", "1", "{", "\u{2028}", "\u{10FFFF}"] {
      dictionary[key] = .string(key)
    }
    let value = PlistValue.dictionary(dictionary)
    let data = try Plist.write(value, as: format, options: format.writeOptions)
    let document = try Plist.read(data, options: format.readOptions)
    #expect(document.format == format)
    #expect(document.value == value)
    #expect(document.warnings == [])
    #expect(PropertyListTests.keys(of: document.value) == dictionary.sortedKeys)
  }

  @Test("colliding keys do not slow a dictionary down")
  func manyKeys() throws {
    // Descending keys take the index; with a new hash seed in each process, an attacker cannot make
    // them collide.
    var dictionary = PlistDictionary()
    for number in (0..<100_000).reversed() { dictionary["key \(number)"] = .integer(Int64(number)) }
    #expect(dictionary.count == 100_000)
    #expect(dictionary["key 77777"] == 77777)
    #expect(dictionary["key 100000"] == nil)
  }
}
