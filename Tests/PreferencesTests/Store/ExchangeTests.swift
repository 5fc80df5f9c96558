import Foundation
import Preferences
import PropertyList
import TestSupport
import Testing

@Suite("Export and import")
struct ExchangeTests {
  @Test(
    "An export in any format can be imported again",
    arguments: [PlistFormat.xml, .binary, .json])
  func roundTrip(format: PlistFormat) throws {
    let folder = try TemporaryFolder()
    let store = PreferencesStore.inMemory()
    store.set(["a": [1, 2]], forKey: "lists")
    store.register(defaults: ["registered": 1])
    let path = folder.path("export.plist")
    try store.export(to: path, as: format)
    let document = try Plist.read(folder.data("export.plist"))
    #expect(document.format == format)
    #expect(document.value == ["lists": ["a": [1, 2]]])

    let other = PreferencesStore.inMemory()
    try other.import(from: URL(fileURLWithPath: path))
    #expect(other.plistValue(forKey: "lists") == ["a": [1, 2]])
  }

  @Test("An export replaces the existing file")
  func replaces() throws {
    let folder = try TemporaryFolder()
    try folder.write("old", to: "export.plist")
    try PreferencesStore.inMemory().export(to: URL(fileURLWithPath: folder.path("export.plist")))
    #expect(try Plist.read(folder.data("export.plist")).value == [:])
    #expect(try folder.names() == ["export.plist"])
  }

  @Test("An import is saved and keeps keys that the file lacks, unless told to replace all")
  func merging() throws {
    let fixture = try StoreFixture()
    let (store, path) = (fixture.store, fixture.path("import.plist"))
    store.set(1, forKey: "kept")
    store.set(1, forKey: "changed")
    try fixture.folder.write("{ changed = new; }", to: "import.plist")
    try store.import(from: path)
    #expect(try fixture.read().value == ["kept": 1, "changed": "new"])
    try store.import(from: path, replacesAll: true)
    #expect(try fixture.read().value == ["changed": "new"])
  }

  @Test("An import notifies observers of each changed key")
  func observers() throws {
    let folder = try TemporaryFolder()
    try folder.write("{ a = 1; b = 2; }", to: "import.plist")
    let store = PreferencesStore.inMemory()
    store.set("1", forKey: "a")
    let keys = Recorder<String>()
    let token = store.observe(["a", "b"]) { keys.record($0.key) }
    try store.import(from: folder.path("import.plist"))
    #expect(keys.all == ["b"])
    token.cancel()
  }

  @Test(
    "A file without a dictionary of preferences is rejected, and nothing changes",
    arguments: [
      ("", "the file is empty; expected a property list"),
      ("(1, 2)", "the property list is not a dictionary of preferences"),
    ])
  func rejected(text: String, reason: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(text, to: "import.plist")
    let path = folder.path("import.plist")
    let store = PreferencesStore.inMemory()
    store.set(1, forKey: "kept")
    #expect {
      try store.import(from: path, replacesAll: true)
    } throws: {
      "\($0)" == "\(path): \(reason)"
    }
    #expect(store.integer(forKey: "kept") == 1)
  }

  @Test("A missing file or folder is an error that names the path")
  func missing() throws {
    let folder = try TemporaryFolder()
    let store = PreferencesStore.inMemory()
    let (file, inside) = (folder.path("none.plist"), folder.path("none/export.plist"))
    #expect {
      try store.import(from: file)
    } throws: {
      "\($0)" == "\(file): cannot open: No such file or directory"
    }
    #expect {
      try store.export(to: inside)
    } throws: {
      "\($0)" == "\(inside): cannot open: No such file or directory"
    }
  }

  @Test("Only file URLs are accepted")
  func remote() throws {
    let url = URL(string: "https://example.org/export.plist")!
    let text = "https://example.org/export.plist: cannot open: Protocol not supported"
    #expect {
      try PreferencesStore.inMemory().export(to: url)
    } throws: {
      "\($0)" == text
    }
    #expect {
      try PreferencesStore.inMemory().import(from: url)
    } throws: {
      "\($0)" == text
    }
  }

  @Test("A value that the format cannot hold fails the export and leaves no file")
  func unwritable() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("export.plist")
    let store = PreferencesStore.inMemory()
    store.set(1, forKey: "number")
    #expect {
      try store.export(to: path, as: .openStep)
    } throws: {
      "\($0)".hasPrefix("\(path): ")
        && "\($0)".hasSuffix("OpenStep text cannot represent integers (key path number)")
    }
    #expect(try folder.names() == [])
  }

  @Test("A domain that cannot be read is not exported as an empty one")
  func corruptDomain() throws {
    let folder = try TemporaryFolder()
    try folder.write("{ broken", to: "settings.plist")
    let store = PreferencesStore(fileAt: folder.path("settings.plist"))
    #expect(throws: PreferencesError.self) { try store.export(to: folder.path("export.plist")) }
    #expect(try folder.names() == ["settings.plist"])
  }
}
