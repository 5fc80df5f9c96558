import Foundation
import PreferencesFoundation
import PropertyList
import TestSupport
import Testing

@Suite("Code that was written for Foundation")
struct MovingCodeTests {
  @Test(
    "The formats of Foundation's serialization have a counterpart",
    arguments: [
      (PropertyListSerialization.PropertyListFormat.xml, PlistFormat.xml), (.binary, .binary),
      (.openStep, .openStep),
    ])
  func formats(format: PropertyListSerialization.PropertyListFormat, expected: PlistFormat) {
    #expect(PlistFormat(format) == expected)
  }

  @Test("A number is read as any number type that can hold it")
  func numberTypes() {
    let store = PreferencesStore.inMemory()
    store.set(7, forKey: "integer")
    store.set(0.5, forKey: "real")
    store.set(Float(0.1), forKey: "float")
    store.set(true, forKey: "boolean")
    store.set(["a"], forKey: "array")
    #expect(store.object(Int.self, forKey: "integer") == 7)
    #expect(store.object(UInt.self, forKey: "integer") == 7)
    #expect(store.object(UInt8.self, forKey: "integer") == 7)
    #expect(store.object(Int32.self, forKey: "integer") == 7)
    #expect(store.object(Int64.self, forKey: "integer") == 7)
    #expect(store.object(Double.self, forKey: "integer") == 7)
    #expect(store.object(CGFloat.self, forKey: "integer") == 7)
    #expect(store.object(CGFloat.self, forKey: "real") == 0.5)
    #expect(store.object(Float.self, forKey: "real") == 0.5)
    #expect(store.object(Float.self, forKey: "float") == 0.1)
    #expect(store.object(Int.self, forKey: "real") == nil)
    #expect(store.object(Bool.self, forKey: "boolean") == true)
    #expect(store.object(Int.self, forKey: "boolean") == nil)
    #expect(store.object([String].self, forKey: "array") == ["a"])
    #expect(store.object(String.self, forKey: "integer") == nil)
    #expect(store.object(Int.self, forKey: "missing") == nil)
    store.set(300, forKey: "integer")
    #expect(store.object(UInt8.self, forKey: "integer") == nil)
  }

  /// The page that has the command, and what precedes it on its line.
  private static let page = "Sources/Defaults/Defaults.docc/ComingFromOtherLibraries.md"
  private static let margin = "> "

  @Test("The documented command finds modules that use Foundation's class, and only these")
  func missingAlias() throws {
    let file = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().appending(path: "../../" + Self.page)
    let command = try #require(
      try String(contentsOf: file, encoding: .utf8)
        .split(separator: "\n").first { $0.hasPrefix(Self.margin + "! for ") }
    ).dropFirst(Self.margin.count)
    let folder = try TemporaryFolder()
    func write(_ text: String, to file: String) throws {
      let url = URL(fileURLWithPath: folder.path("Sources/" + file))
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try text.write(to: url, atomically: true, encoding: .utf8)
    }
    func run() throws -> (status: Int32, output: String) {
      let (process, pipe) = (Process(), Pipe())
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments = ["-c", String(command)]
      process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
      process.standardOutput = pipe
      try process.run()
      let output = pipe.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
    try write("let a = UserDefaultsKey()", to: "Other/A.swift")
    try write("let a = UserDefaults.standard", to: "Moved/A.swift")
    try write("typealias UserDefaults = PreferencesStore", to: "Moved/UserDefaults.swift")
    #expect(try run() == (0, ""))
    try write("let a = UserDefaults.standard", to: "Forgotten/A.swift")
    #expect(try run() == (1, "Sources/Forgotten/ uses Foundation's UserDefaults\n"))
  }
}
