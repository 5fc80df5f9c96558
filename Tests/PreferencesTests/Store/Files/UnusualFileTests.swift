import Foundation
import PropertyList
import TestSupport
import Testing

@testable import Preferences

@Suite("A store on a file that is pinned, or that a symbolic link leads to")
struct UnusualFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var path: String { folder.path("test.plist") }

  @Test("A file that its owner may not write is not changed", arguments: [0o444, 0o400, 0o464])
  func pinned(mode: Int) throws {
    try folder.write("{ old = value; }", to: "test.plist")
    #expect(chmod(path, mode_t(mode)) == 0)
    let store = PreferencesStore(fileAt: path)
    store.set("x", forKey: "key")
    let message = "\(path): its owner may not write the file; chmod u+w allows it"
    #expect(errorText { try store.flush() } == message)
    #expect(errorText { try store.update { $0["key"] = "y" } } == message)
    #expect(store.problems == [])
    #expect(try folder.text("test.plist") == "{ old = value; }")
    #expect(chmod(path, mode_t(mode) | 0o200) == 0)
    try store.flush()
    #expect(try Plist.read(folder.data("test.plist")).value == ["old": "value", "key": "x"])
  }

  @Test("An unreadable file that its owner may not write is not moved aside")
  func pinnedDamaged() throws {
    try folder.write("not preferences", to: "test.plist")
    #expect(chmod(path, 0o444) == 0)
    let store = PreferencesStore(fileAt: path)
    let message = "\(path): its owner may not write the file; chmod u+w allows it"
    #expect(errorText { _ = try store.recover() } == message)
    #expect(try folder.text("test.plist") == "not preferences")
  }

  @Test(
    "A symbolic link without a target stays, and the target is created", arguments: [true, false])
  func danglingLink(isAbsolute: Bool) throws {
    for name in ["dotfiles", "config"] { #expect(mkdir(folder.path(name), 0o755) == 0) }
    let target = isAbsolute ? folder.path("dotfiles/test.plist") : "../dotfiles/test.plist"
    #expect(symlink("second", folder.path("config/test.plist")) == 0)
    #expect(symlink(target, folder.path("config/second")) == 0)
    let store = PreferencesStore(fileAt: folder.path("config/test.plist"))
    store.set("x", forKey: "key")
    try store.flush()
    #expect(try Plist.read(folder.data("dotfiles/test.plist")).value == ["key": "x"])
    #expect(try folder.names("config") == ["second", "test.plist"])
    store.set("y", forKey: "key")
    try store.flush()
    #expect(try Plist.read(folder.data("config/test.plist")).value == ["key": "y"])
  }

  @Test("A symbolic link into a missing folder is an error, and creates nothing")
  func linkIntoMissingFolder() throws {
    #expect(symlink("missing/test.plist", path) == 0)
    let store = PreferencesStore(fileAt: path)
    store.set("x", forKey: "key")
    #expect(
      errorText { try store.flush() }
        == "\(path): cannot follow the symbolic link: No such file or directory")
    #expect(try folder.names() == ["test.plist"])
    // Not to be tried again after the test.
    #expect(unlink(path) == 0)
    try store.flush()
  }

  @Test("A suite whose name is an absolute path is the file that Foundation has for it")
  func suiteByPath() throws {
    let store = try #require(PreferencesStore(suiteName: folder.path("suite")))
    store.set("x", forKey: "key")
    #expect(store.synchronize())
    #expect(store.domain == folder.path("suite.plist"))
    #expect(try Plist.read(folder.data("suite.plist")).value == ["key": "x"])
    let again = try #require(PreferencesStore(suiteName: folder.path("suite")))
    again.set("y", forKey: "key")
    #expect(store.string(forKey: "key") == "y")
    try again.flush()
    for name in ["relative/path", folder.path("folder/"), folder.path("a\0b"), ""] {
      #expect(PreferencesStore(suiteName: name) == nil)
    }
  }

  @Test("A store in memory has the options of a program")
  func inMemory() {
    var options = PreferencesStore.Options()
    options.argumentsAfterName = ["-width", "100"]
    options.isReadOnly = true
    let store = PreferencesStore.inMemory(options: options)
    #expect(store.integer(forKey: "width") == 100)
    #expect(store.isReadOnly)
    #expect(options.arguments?.count == 3)
    options.argumentsAfterName = nil
    #expect(options.arguments == nil)
  }

  @Test("A domain whose files for this host would have too long names has no problems")
  func longName() throws {
    let name = String(repeating: "d", count: 249)
    var options = PreferencesStore.Options()
    options.locations = DomainLocations(within: folder.path)
    options.locations.hostIdentifier = "0123456789abcdef"
    let store = try PreferencesStore(domain: name, options: options)
    store.set("x", forKey: "key")
    #expect(store.problems == [])
    try store.flush()
    #expect(try Plist.read(folder.data("user/\(name).plist")).value == ["key": "x"])
  }
}
