import FoundationEssentials
import PropertyList
import TestSupport
import Testing

@testable import Preferences

@Suite("Stores that share a domain")
struct StoreSharingTests {
  @Test("Two stores of a domain share its values, each with its own search list")
  func sharing() throws {
    let fixture = try StoreFixture()
    let other = try fixture.store()
    fixture.store.set(1, forKey: "k")
    #expect(other.integer(forKey: "k") == 1)
    other.removeObject(forKey: "k")
    #expect(!fixture.store.containsValue(forKey: "k"))
    #expect(other.user === fixture.store.user)

    try fixture.write(["s": 1], to: "user/suite.plist")
    other.addSuite(named: "suite")
    #expect(other.containsValue(forKey: "s"))
    #expect(!fixture.store.containsValue(forKey: "s"))
    other.register(defaults: ["r": 1])
    #expect(!fixture.store.containsValue(forKey: "r"))
  }

  @Test("Stores share a domain whose folder was created after the first of them")
  func sharingBeforeTheFolder() throws {
    let fixture = try StoreFixture()
    fixture.store.set(1, forKey: "k")
    try fixture.store.flush()
    let other = try fixture.store()
    other.set(2, forKey: "k")
    #expect(fixture.store.integer(forKey: "k") == 2)
    #expect(other.user === fixture.store.user)
  }

  @Test("A domain is the same through a symbolic link to its folder")
  func sharingByLink() throws {
    let fixture = try StoreFixture()
    try fixture.write([:], to: "user/\(StoreFixture.domain).plist")
    try FileManager.default.createSymbolicLink(
      atPath: fixture.path("link"), withDestinationPath: fixture.path("user"))
    let one = try fixture.store("d")
    let file = PreferencesStore(fileAt: fixture.path("link/d.plist"))
    file.set(1, forKey: "k")
    #expect(one.integer(forKey: "k") == 1)
    try file.flush()
  }

  @Test("A folder with a reused inode is another domain")
  func reusedFolder() throws {
    let old = try StoreFixture(domain: "d")
    old.store.set(1, forKey: "k")
    try old.store.flush()
    try FileManager.default.removeItem(atPath: old.path("user"))
    // Some file systems reuse the inode of a removed folder for the next one.
    let new = old.path("new")
    try FileManager.default.createDirectory(atPath: new, withIntermediateDirectories: false)
    let store = PreferencesStore(fileAt: new + "/d.plist")
    #expect(store.user !== old.store.user)
    #expect(!store.containsValue(forKey: "k"))
  }

  @Test("Stores share the registration domain of the process by default")
  func sharedRegistration() throws {
    let fixture = try StoreFixture()
    var options = PreferencesStore.Options()
    options.locations = fixture.locations
    options.arguments = []
    let one = try PreferencesStore(domain: "one", options: options)
    let other = try PreferencesStore(domain: "other", options: options)
    one.register(defaults: ["shared by all stores": 1])
    #expect(other.integer(forKey: "shared by all stores") == 1)
    #expect(!fixture.store.containsValue(forKey: "shared by all stores"))
  }
}
