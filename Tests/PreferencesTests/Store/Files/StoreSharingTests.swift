import Foundation
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
    try fixture.folder.link("link", to: fixture.path("user"))
    let one = try fixture.store("d")
    let file = PreferencesStore(fileAt: fixture.path("link/d.plist"))
    file.set(1, forKey: "k")
    #expect(one.integer(forKey: "k") == 1)
    try file.flush()
  }

  @Test("A domain that was opened before its folder existed is the same by any path")
  func sharingAfterCreation() throws {
    let folder = try TemporaryFolder()
    let first = PreferencesStore(fileAt: folder.path("new/folder/early.plist"))
    let stranger = PreferencesStore(fileAt: folder.path("other/early.plist"))
    #expect(!first.containsValue(forKey: "k"))
    try folder.link("link", to: folder.path("new"))
    let early = PreferencesStore(fileAt: folder.path("link/folder/early.plist"))
    first.set(1, forKey: "k")
    try first.flush()
    let late = PreferencesStore(fileAt: folder.path("link/folder/../folder/early.plist"))
    #expect(late.user === first.user)
    late.set(2, forKey: "k")
    #expect(first.integer(forKey: "k") == 2)
    #expect(stranger.user !== first.user && !stranger.containsValue(forKey: "k"))
    // Once the folder exists, each path leads to one of the domains opened before.
    try late.flush()
    #expect(early.synchronize() && early.integer(forKey: "k") == 2)
  }

  @Test("Of many domains without a folder, the latest ones are the same by any path")
  func manyWithoutFolder() throws {
    let folder = try TemporaryFolder()
    let stores = (0..<150).map { PreferencesStore(fileAt: folder.path("\($0)/k.plist")) }
    for number in [149, 100] {
      stores[number].set(number, forKey: "k")
      try stores[number].flush()
      let other = PreferencesStore(fileAt: folder.path("\(number)/../\(number)/k.plist"))
      #expect(other.user === stores[number].user)
    }
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

  @Test("Names that look the same but have other bytes are other domains")
  func bytes() throws {
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    let fixture = try StoreFixture()
    let stores = [try fixture.store(composed), try fixture.store(decomposed)]
    for (number, store) in stores.enumerated() {
      store.set(number, forKey: "k")
      try store.flush()
    }
    for (number, name) in [composed, decomposed].enumerated() {
      #expect(try fixture.read("user/\(name).plist").value == ["k": .integer(Int64(number))])
      let file = PreferencesStore(fileAt: fixture.path("user/\(name).plist"))
      #expect(file.integer(forKey: "k") == number)
      #expect(stores[0].persistentDomain(forName: name)?["k"] as? Int == number)
      stores[0].setVolatileDomain(["k": number], forName: name)
    }
    #expect(stores[0].volatileDomain(forName: composed)["k"] as? Int == 0)
    // Each store is a separate suite for the other.
    stores[0].addSuite(named: decomposed)
    stores[1].addSuite(named: composed)
    fixture.store.addSuite(named: composed)
    fixture.store.addSuite(named: decomposed)
    #expect(stores.map { $0.origins(forKey: "k").count } == [2, 2])
    #expect(fixture.store.origins(forKey: "k").count == 2)
    fixture.store.removeSuite(named: composed)
    #expect(fixture.store.origins(forKey: "k").map(\.value) == [1])

    let memory = PreferencesStore.inMemory()
    memory.setPersistentDomain(["k": 0], forName: composed)
    memory.setPersistentDomain(["k": 1], forName: decomposed)
    #expect(memory.persistentDomain(forName: composed)?["k"] as? Int == 0)
  }

  @Test("A path with a NUL, or with the mark of bytes that are not UTF-8, is refused")
  func refusedPaths() throws {
    let fixture = try StoreFixture()
    try fixture.write(["k": 1], to: "d.plist")
    for (name, error) in [
      ("d.plist\0", "the path contains a NUL character"),
      (
        "d\u{FFFD}.plist",
        "the path is not UTF-8"
      ),
    ] {
      let path = fixture.path(name)
      let store = PreferencesStore(fileAt: path)
      #expect(!store.containsValue(forKey: "k"))
      #expect(store.problems.map(\.description) == ["\(path): \(error)"])
      store.set(1, forKey: "k")
      #expect {
        try store.flush()
      } throws: {
        "\($0)" == "\(path): \(error)"
      }
      store.removeAll()
    }
    #expect(try fixture.read("d.plist").value == ["k": 1])
    #expect(try fixture.folder.names() == ["d.plist"])
  }

  @Test("A file with several names keeps its contents under the others when one is saved")
  func hardLink() throws {
    let fixture = try StoreFixture()
    try fixture.write(["k": 1], to: "d.plist")
    try #require(link(fixture.path("d.plist"), fixture.path("other.plist")) == 0)
    let stores = ["d.plist", "other.plist"].map { PreferencesStore(fileAt: fixture.path($0)) }
    stores[0].set(2, forKey: "k")
    try stores[0].flush()
    #expect(try fixture.read("d.plist").value == ["k": 2])
    #expect(try fixture.read("other.plist").value == ["k": 1])
    #expect(stores[1].integer(forKey: "k") == 1)
    // As long as no store saves, what is written in place is seen under both names.
    try FileManager.default.removeItem(atPath: fixture.path("d.plist"))
    try #require(link(fixture.path("other.plist"), fixture.path("d.plist")) == 0)
    let handle = try #require(FileHandle(forWritingAtPath: fixture.path("other.plist")))
    try handle.truncate(atOffset: 0)
    try handle.write(contentsOf: Plist.write(["k": 3], as: .xml))
    try handle.close()
    #expect(eventually { stores.allSatisfy { $0.integer(forKey: "k") == 3 } })
  }
}
