import Foundation
import TestSupport
import Testing

@testable import PropertyList

@Suite("A binary property list that is read in parts from its file")
struct BinaryPlistDocumentTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func open(_ data: Data, limits: PlistLimits = PlistLimits()) throws -> BinaryPlistDocument
  {
    try folder.write(data, to: "document.plist")
    return try BinaryPlistDocument(path: folder.path("document.plist"), limits: limits)
  }

  /// The text of the error that the call gives, or nil where it gives none.
  private func error(_ call: () throws -> Void) -> String? {
    do {
      try call()
      return nil
    } catch {
      return "\(error)"
    }
  }

  // MARK: Agreement

  /// Compares a value, and all within it, with what the document says of it.
  private func compare(
    _ value: PlistValue, at path: [String] = [], in document: BinaryPlistDocument
  ) throws {
    let keyPath = PlistKeyPath(components: path)
    #expect(try document.kind(at: keyPath) == value.kind)
    #expect(try document.value(at: keyPath) == value)
    switch value {
    case .dictionary(let dictionary):
      #expect(try document.count(at: keyPath) == dictionary.count)
      #expect(try document.keys(at: keyPath) == Array(dictionary.keys))
      for (key, value) in dictionary { try compare(value, at: path + [key], in: document) }
      try expectNothing(at: path + ["a key that none has"], in: document)
    case .array(let elements):
      #expect(try document.count(at: keyPath) == elements.count)
      #expect(try document.keys(at: keyPath) == nil)
      for (index, element) in elements.enumerated() {
        try compare(element, at: path + [String(index)], in: document)
      }
      for index in [String(elements.count), "-1", "+0", "x"] {
        try expectNothing(at: path + [index], in: document)
      }
    case .set(let elements):
      #expect(try document.count(at: keyPath) == elements.count)
      try expectNothing(at: path + ["0"], in: document)
    default:
      #expect(try document.count(at: keyPath) == nil)
      try expectNothing(at: path + ["0"], in: document)
    }
  }

  private func expectNothing(at path: [String], in document: BinaryPlistDocument) throws {
    let path = PlistKeyPath(components: path)
    #expect(try document.value(at: path) == nil)
    #expect(try document.kind(at: path) == nil)
    #expect(try document.count(at: path) == nil)
    #expect(try document.keys(at: path) == nil)
  }

  @Test("has what the reader finds, at every path of every fixture")
  func fixtures() throws {
    let fixtures = FixtureIndex.wellFormed.filter { $0.format == .binary }
    #expect(fixtures.count > 50)
    for fixture in fixtures where !fixture.name.contains("depth") {
      let data = try fixture.data()
      try compare(try fixture.read().value, in: try open(data))
    }
  }

  @Test(
    "refuses a malformed document as the reader does",
    arguments: FixtureIndex.malformed.filter {
      $0.format == .binary && $0.stem != "offset-of-unreachable-object"
    })
  func malformed(fixture: Fixture) throws {
    let data = try fixture.data()
    let error = error { _ = try open(data).value(at: PlistKeyPath()) }
    // The keys on the way to what is wrong are not always known.
    let message = fixture.messages.first?.split(separator: " (key path").first.map(String.init)
    #expect(error?.split(separator: " (key path").first.map(String.init) == message)
  }

  /// Looks up everything that is found from the root on, down to some depth.
  private func explore(_ document: BinaryPlistDocument, depth: Int = 4) throws {
    var paths = [PlistKeyPath()]
    while let path = paths.popLast() {
      _ = try? document.value(at: path)
      let kind = try document.kind(at: path)
      let count = try document.count(at: path) ?? 0
      guard path.components.count < depth else { continue }
      let parts =
        kind == .array
        ? (0..<min(count, 50)).map(String.init) : try document.keys(at: path) ?? []
      for part in parts { paths.append(PlistKeyPath(components: path.components + [part])) }
    }
  }

  @Test(
    "a document with any bit flipped gives what the reader gives, or an error, or damage unseen")
  func bitFlips() throws {
    let data = try Plist.write(PlistFormat.binary.golden, as: .binary)
    var agreements = 0
    for position in data.indices {
      for bit in 0..<8 {
        var damaged = data
        damaged[position] ^= 1 << UInt8(bit)
        guard let document = try? open(damaged) else {
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

  @Test("a document cut off at any byte cannot be opened")
  func truncation() throws {
    let data = try Plist.write(PlistFormat.binary.golden, as: .binary)
    for length in data.indices {
      let error = error { _ = try open(Data(data.prefix(length))) }
      #expect(error == readError(Data(data.prefix(length)), as: .binary))
    }
  }

  // MARK: Keys and paths

  @Test("the last of equal keys counts, in either form of string")
  func equalKeys() throws {
    // Twice the same key, once in ASCII and once in UTF-16, then two that only look alike, and none.
    let objects: [[UInt8]] = [
      [0xD6, 1, 2, 3, 4, 5, 11, 6, 7, 8, 9, 10, 10], BinaryAssembly.string("ab"),
      [0x62, 0, 0x61, 0, 0x62], [0x61, 0x00, 0xE9], [0x62, 0x00, 0x65, 0x03, 0x01], [0x50],
      [0x10, 1], [0x10, 2], [0x10, 3], [0x10, 4], [0x10, 5],
      [0x5F, 0x10, 1, UInt8(ascii: "l")],
    ]
    let data = BinaryAssembly(objects).data
    let document = try open(data)
    try compare(try Plist.read(data).value, in: document)
    #expect(try document.value(at: PlistKeyPath("ab")) == 2)
    #expect(try document.keys(at: PlistKeyPath()) == ["ab", "\u{E9}", "e\u{301}", "", "l"])
    #expect(try document.count(at: PlistKeyPath()) == 5)
  }

  @Test("damage that is not on the way to a value goes unnoticed; on the way it is an error")
  func damageElsewhere() throws {
    // {"a": [1, an object of no type], "b": a cycle, "c": "text"}
    let objects: [[UInt8]] = [
      [0xD3, 1, 2, 3, 4, 5, 6], BinaryAssembly.string("a"), BinaryAssembly.string("b"),
      BinaryAssembly.string("c"), [0xA2, 7, 8], [0xA1, 5], BinaryAssembly.string("text"),
      [0x10, 1], [0x70],
    ]
    let document = try open(BinaryAssembly(objects).data)
    #expect(try document.value(at: PlistKeyPath("c")) == "text")
    #expect(try document.value(at: PlistKeyPath("a.0")) == 1)
    #expect(try document.kind(at: PlistKeyPath("a")) == .array)
    #expect(
      error { _ = try document.value(at: PlistKeyPath("a")) }
        == "byte 33: the object type 0x70 is not supported (key path a.1)")
    #expect(
      error { _ = try document.kind(at: PlistKeyPath("a.1")) }
        == "byte 33: the object type 0x70 is not supported (key path a.1)")
    #expect(
      error { _ = try document.value(at: PlistKeyPath("b")) }
        == "byte 24: the container contains itself (key path b.0)")
    #expect(
      error { _ = try document.kind(at: PlistKeyPath("b.0.0")) }
        == "byte 24: the container contains itself (key path b)")
    #expect(
      error { _ = try document.value(at: PlistKeyPath()) }
        == "byte 33: the object type 0x70 is not supported (key path a.1)")
  }

  @Test("limits hold from the root on for depth, and for each value for nodes")
  func limits() throws {
    var value: PlistValue = "innermost"
    for _ in 0..<512 { value = [value] }
    let data = try Plist.write([[value], [1, 2, 3]][0], as: .binary, options: deep)
    let document = try open(data)
    func path(_ count: Int) -> PlistKeyPath {
      PlistKeyPath(components: Array(repeating: "0", count: count))
    }
    #expect(try document.kind(at: path(512)) == .array)
    let message = "containers are nested deeper than 512 levels"
    #expect(error { _ = try document.kind(at: path(513)) }?.contains(message) == true)
    #expect(error { _ = try document.value(at: path(512)) }?.contains(message) == true)
    #expect(error { _ = try document.value(at: path(3)) }?.contains(message) == true)

    var limits = PlistLimits()
    limits.maximumNodeCount = 3
    let wide = try Plist.write(["few": [1, 2], "many": [1, 2, 3]], as: .binary)
    let narrow = try open(wide, limits: limits)
    #expect(try narrow.value(at: PlistKeyPath("few")) == [1, 2])
    #expect(
      error { _ = try narrow.value(at: PlistKeyPath("many")) }?.hasSuffix(
        "the document contains more than 3 values (key path many.2)") == true)
    limits.maximumSize = 10
    #expect(error { _ = try open(wide, limits: limits) } == "the document is larger than 10 bytes")
  }

  private var deep: PlistWriteOptions {
    var options = PlistWriteOptions()
    options.limits.maximumDepth = 1000
    return options
  }

  @Test("objects that overlap cannot make a value larger than the file allows")
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
    let document = try open(assembly.data)
    #expect(
      error { _ = try document.value(at: PlistKeyPath()) }
        == "byte 2012: the objects overlap; expected each to have its own bytes")
    #expect(
      try document.value(at: PlistKeyPath("999")) == .string(String(repeating: "a", count: 1000)))
  }

  // MARK: Pages

  @Test("values of every length are whole, wherever pages begin", arguments: [0, 1, 2, 3, 5, 7])
  func pageBorders(shift: Int) throws {
    var dictionary = PlistDictionary()
    dictionary["shift"] = .data(Data(count: shift))
    for number in 0..<2000 {
      let text = String(repeating: "x", count: number % 40)
      dictionary["ascii \(number)"] = .string("\(number)" + text)
      dictionary["ütf \(number)"] = .string("\(number)é" + text)
    }
    dictionary["long"] = .data(Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }))
    dictionary["array"] = .array((0..<5000).map { .integer($0 * 1_000_003) })
    let document = try open(try Plist.write(.dictionary(dictionary), as: .binary))
    for (position, (key, value)) in dictionary.enumerated() where position % 67 == shift {
      #expect(try document.value(at: PlistKeyPath(components: [key])) == value)
    }
    #expect(try document.value(at: PlistKeyPath("long")) == dictionary["long"])
    #expect(try document.value(at: PlistKeyPath("array")) == dictionary["array"])
    #expect(try document.value(at: PlistKeyPath()) == .dictionary(dictionary))
    #expect(Set(try document.keys(at: PlistKeyPath()) ?? []) == Set(dictionary.keys))
  }

  /// Tracks by number, each a dictionary of 15 entries.
  private static func library(_ tracks: Int) throws -> Data {
    let entries = (0..<tracks).map { number -> (String, PlistValue) in
      let fields = (0..<14).map { ("Field \($0)", PlistValue.string("\(number) of \($0)")) }
      let name = ("Name", PlistValue.string("Track \(number)"))
      return ("\(number)", .dictionary(PlistDictionary(fields + [name])))
    }
    return try Plist.write(["Tracks": .dictionary(PlistDictionary(entries))], as: .binary)
  }

  @Test("to look up one of 300,000 objects a small part of the file is read")
  func partsRead() throws {
    let data = try Self.library(20_000)
    #expect(data.count > 7_000_000)
    let document = try open(data)
    // The trailer and the header.
    #expect(document.bytesRead <= 2 * FilePages.pageSize)
    #expect(try document.value(at: PlistKeyPath("Tracks.15000.Name")) == "Track 15000")
    #expect(document.bytesRead < 100 * FilePages.pageSize)
    let before = document.bytesRead
    #expect(try document.value(at: PlistKeyPath("Tracks.15000.Name")) == "Track 15000")
    // What was used last is still there.
    #expect(document.bytesRead - before < 100 * FilePages.pageSize)
    #expect(try document.count(at: PlistKeyPath("Tracks.7")) == 15)
    #expect(document.bytesRead < 300 * FilePages.pageSize)
  }

  @Test("pages that fit are read once")
  func pagesKept() throws {
    let value = PlistValue.array((0..<20_000).map { .integer($0) })
    let data = try Plist.write(value, as: .binary)
    #expect(data.count < 64 * FilePages.pageSize)
    let document = try open(data)
    for _ in 0..<3 { #expect(try document.value(at: PlistKeyPath()) == value) }
    #expect(document.bytesRead == data.count)
  }

  // MARK: Files

  @Test("what is no regular file, or cannot be opened, is an error")
  func noFile() throws {
    func open(_ name: String) -> String? {
      error { _ = try BinaryPlistDocument(path: folder.path(name)) }
    }
    #expect(open("missing") == "cannot open: No such file or directory")
    #expect(open("") == "expected a regular file")
    #expect(open("a\0b") == "cannot open: No such file or directory")
    #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
    #expect(open("pipe") == "expected a regular file")
    try folder.write("", to: "empty")
    #expect(open("empty") == "the document is empty; expected a property list")
    try folder.write("<plist><true/></plist>", to: "xml")
    #expect(
      open("xml") == "byte 0: the version of the binary format is not supported; expected bplist00")
    try folder.write("x", to: "locked")
    #expect(chmod(folder.path("locked"), 0) == 0)
    if geteuid() != 0 { #expect(open("locked") == "cannot open: Permission denied") }
  }

  private static let changed = "the file changed after it was opened"

  @Test("a file that is changed in its place is an error from then on", arguments: 0..<5)
  func change(way: Int) throws {
    let data = try Self.library(1000)
    let document = try open(data)
    let name = PlistKeyPath("Tracks.500.Name")
    #expect(try document.value(at: name) == "Track 500")
    let path = folder.path("document.plist")
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    switch way {
    case 0: try file.truncate(atOffset: UInt64(data.count / 2))
    case 1: try file.truncate(atOffset: 0)
    case 2: try file.truncate(atOffset: UInt64(data.count + 1))
    case 3:
      usleep(20_000)
      try file.write(contentsOf: data)
    default:
      // The time of the change cannot be put back as that of the modification can.
      var information = stat()
      #expect(stat(path, &information) == 0)
      usleep(20_000)
      try file.write(contentsOf: data)
      var times = [information.st_atim, information.st_mtim]
      #expect(utimensat(AT_FDCWD, path, &times, 0) == 0)
    }
    for _ in 0..<2 {
      #expect(error { _ = try document.value(at: name) } == Self.changed)
      #expect(error { _ = try document.kind(at: name) } == Self.changed)
      #expect(error { _ = try document.keys(at: PlistKeyPath("Tracks")) } == Self.changed)
    }
  }

  @Test("a file that is shorter than it was when it was opened is never read beyond its end")
  func shrinking() throws {
    try folder.write(Data(count: 100_000), to: "pages")
    let pages = try FilePages(path: folder.path("pages"))
    #expect(try pages.byte(at: 99_999) == 0)
    #expect(truncate(folder.path("pages"), 50_000) == 0)
    #expect(try pages.byte(at: 99_998) == 0)
    #expect(try pages.byte(at: 40_000) == 0)
    #expect(error { _ = try pages.byte(at: 60_000) } == Self.changed)
    #expect(error { _ = try pages.byte(at: 50_000) } == Self.changed)
    #expect(error { try pages.checkUnchanged() } == Self.changed)
  }

  @Test("a file that is replaced or removed is read on as it was")
  func replacement() throws {
    let document = try open(try Self.library(1000))
    try folder.write(try Plist.write([:], as: .binary), to: "new.plist")
    #expect(rename(folder.path("new.plist"), folder.path("document.plist")) == 0)
    #expect(try document.value(at: PlistKeyPath("Tracks.500.Name")) == "Track 500")
    #expect(try document.value(at: PlistKeyPath("Tracks.1.Name")) == "Track 1")
  }

  @Test("many threads may use one document")
  func threads() async throws {
    let document = try open(try Self.library(500))
    try await withThrowingTaskGroup(of: Int.self) { group in
      for thread in 0..<8 {
        group.addTask {
          var found = 0
          for step in 0..<20 {
            let number = (thread * 251 + step * 37) % 500
            let name = try document.value(at: PlistKeyPath("Tracks.\(number).Name"))
            if name == .string("Track \(number)") { found += 1 }
          }
          return found
        }
      }
      for try await found in group { #expect(found == 20) }
    }
  }

  @Test("a document closes its file when it is let go of, also when it is refused")
  func descriptors() throws {
    let path = folder.path("document.plist")
    func isOpen() throws -> Bool {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").contains {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
      }
    }
    var document: BinaryPlistDocument? = try open(try Plist.write([1], as: .binary))
    #expect(try document?.count(at: PlistKeyPath()) == 1)
    #expect(try isOpen())
    document = nil
    #expect(try !isOpen())
    #expect(error { _ = try open(Data("bplist00".utf8)) } != nil)
    #expect(try !isOpen())
  }
}
