import Foundation
import TestSupport
import Testing

@testable import PropertyList

@Suite("The file of a binary property list read in parts")
struct BinaryPlistDocumentFileTests {
  private let folder: DocumentFolder

  init() throws {
    folder = try DocumentFolder()
  }

  // MARK: Pages

  @Test(
    "values of every length are complete at every page boundary", arguments: [0, 1, 2, 3, 5, 7])
  func pageBoundaries(shift: Int) throws {
    var dictionary = PlistDictionary()
    dictionary["shift"] = .data(Data(count: shift))
    for number in 0..<2000 {
      let text = String(repeating: "x", count: number % 40)
      dictionary["ascii \(number)"] = .string("\(number)" + text)
      dictionary["ütf \(number)"] = .string("\(number)é" + text)
    }
    dictionary["long"] = .data(Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }))
    dictionary["array"] = .array((0..<5000).map { .integer($0 * 1_000_003) })
    let document = try folder.open(try Plist.write(.dictionary(dictionary), as: .binary))
    for (position, (key, value)) in dictionary.enumerated() where position % 67 == shift {
      #expect(try document.value(at: PlistKeyPath(components: [key])) == value)
    }
    #expect(try document.value(at: PlistKeyPath("long")) == dictionary["long"])
    #expect(try document.value(at: PlistKeyPath("array")) == dictionary["array"])
    #expect(try document.value(at: PlistKeyPath()) == .dictionary(dictionary))
  }

  @Test("a small part of the file is read to find one of 300,000 objects")
  func partsRead() throws {
    let data = try DocumentFolder.library(20_000)
    #expect(data.count > 7_000_000)
    let document = try folder.open(data)
    // The trailer and the header.
    #expect(document.bytesRead <= 2 * BytesInFile.pageSize)
    #expect(try document.value(at: PlistKeyPath("Tracks.15000.Name")) == "Track 15000")
    #expect(document.bytesRead < 100 * BytesInFile.pageSize)
    let before = document.bytesRead
    #expect(try document.value(at: PlistKeyPath("Tracks.15000.Name")) == "Track 15000")
    // Recently used pages are still cached.
    #expect(document.bytesRead - before < 100 * BytesInFile.pageSize)
    #expect(try document.kind(at: PlistKeyPath("Tracks.7")) == .dictionary)
    #expect(document.bytesRead < 300 * BytesInFile.pageSize)
  }

  @Test("pages that fit in the cache are read once")
  func cachedPages() throws {
    let value = PlistValue.array((0..<20_000).map { .integer($0) })
    let data = try Plist.write(value, as: .binary)
    #expect(data.count < 64 * BytesInFile.pageSize)
    let document = try folder.open(data)
    for _ in 0..<3 { #expect(try document.value(at: PlistKeyPath()) == value) }
    #expect(document.bytesRead == data.count)
  }

  // MARK: Files

  @Test("a file that is not regular or cannot be opened is an error")
  func noFile() throws {
    func openError(_ name: String) -> String? {
      errorText { _ = try BinaryPlistDocument(path: folder.path(of: name)) }
    }
    #expect(openError("missing") == "cannot open: No such file or directory")
    #expect(openError("") == "expected a regular file")
    #expect(openError("a\0b") == "cannot open: Invalid argument")
    #expect(mkfifo(folder.path(of: "pipe"), 0o600) == 0)
    #expect(openError("pipe") == "expected a regular file")
    try folder.write(Data(), to: "empty")
    #expect(openError("empty") == "the document is empty; expected a property list")
    try folder.write(Data("<plist><true/></plist>".utf8), to: "xml")
    #expect(
      openError("xml")
        == "byte 0: the version of the binary format is not supported; expected bplist00")
    try folder.write(Data("x".utf8), to: "locked")
    #expect(chmod(folder.path(of: "locked"), 0) == 0)
    if geteuid() != 0 { #expect(openError("locked") == "cannot open: Permission denied") }
  }

  private static let changed = "the file changed after it was opened"

  /// A modification of an open file in place.
  enum Modification: CaseIterable {
    case truncatedToHalf, emptied, extended, rewritten, rewrittenWithOldTimes
  }

  @Test("every call throws once the file is modified in place", arguments: Modification.allCases)
  func modification(modification: Modification) throws {
    let data = try DocumentFolder.library(1000)
    let document = try folder.open(data)
    let name = PlistKeyPath("Tracks.500.Name")
    #expect(try document.value(at: name) == "Track 500")
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: folder.path))
    switch modification {
    case .truncatedToHalf: try file.truncate(atOffset: UInt64(data.count / 2))
    case .emptied: try file.truncate(atOffset: 0)
    case .extended: try file.truncate(atOffset: UInt64(data.count + 1))
    case .rewritten:
      usleep(20_000)
      try file.write(contentsOf: data)
    case .rewrittenWithOldTimes:
      // The status change time cannot be set back as the modification time can.
      var information = stat()
      #expect(stat(folder.path, &information) == 0)
      usleep(20_000)
      try file.write(contentsOf: data)
      var times = [information.st_atim, information.st_mtim]
      #expect(utimensat(AT_FDCWD, folder.path, &times, 0) == 0)
    }
    for _ in 0..<2 {
      #expect(errorText { _ = try document.value(at: name) } == Self.changed)
      #expect(errorText { _ = try document.kind(at: name) } == Self.changed)
    }
  }

  @Test("a file that became shorter is never read beyond its end")
  func shrinking() throws {
    try folder.write(Data(count: 100_000), to: "pages")
    let pages = try BytesInFile(path: folder.path(of: "pages"))
    #expect(try pages.byte(at: 99_999) == 0)
    #expect(truncate(folder.path(of: "pages"), 50_000) == 0)
    #expect(try pages.byte(at: 99_998) == 0)
    #expect(try pages.byte(at: 40_000) == 0)
    #expect(errorText { _ = try pages.byte(at: 60_000) } == Self.changed)
    #expect(errorText { _ = try pages.byte(at: 50_000) } == Self.changed)
    #expect(errorText { try pages.checkUnchanged() } == Self.changed)
  }

  @Test("a document continues to read a file that has been replaced")
  func replacement() throws {
    let document = try folder.open(try DocumentFolder.library(1000))
    try folder.write(try Plist.write([:], as: .binary), to: "new.plist")
    #expect(rename(folder.path(of: "new.plist"), folder.path) == 0)
    #expect(try document.value(at: PlistKeyPath("Tracks.500.Name")) == "Track 500")
    #expect(try document.value(at: PlistKeyPath("Tracks.1.Name")) == "Track 1")
  }

  @Test("a document can be used from several threads")
  func threads() async throws {
    let document = try folder.open(try DocumentFolder.library(500))
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

  @Test("a document closes its file when it is released or cannot be opened")
  func descriptors() throws {
    let path = folder.path
    func isOpen() throws -> Bool {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").contains {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
      }
    }
    var document: BinaryPlistDocument? = try folder.open(try Plist.write([1], as: .binary))
    #expect(try document?.value(at: PlistKeyPath("0")) == 1)
    #expect(try isOpen())
    document = nil
    #expect(try !isOpen())
    #expect(errorText { _ = try folder.open(Data("bplist00".utf8)) } != nil)
    #expect(try !isOpen())
  }
}
