import FoundationEssentials
import PropertyList
import TestSupport
import Testing

import Threading
@testable import Preferences

@Suite("A store on a file")
struct StoreFileTests {
  private let fraction = Date(timeIntervalSinceReferenceDate: 1.5)

  // MARK: Formats

  @Test("A new file is XML if that can represent every value, and binary otherwise")
  func newFile() throws {
    let fixture = try StoreFixture()
    fixture.store.set("a", forKey: "k")
    try fixture.store.flush()
    #expect(try fixture.read().format == .xml)
    #expect(try fixture.read().value == ["k": "a"])

    for (key, value) in ["character": "\u{FFFF}", "date": .date(fraction)] as PlistDictionary {
      let fixture = try StoreFixture()
      fixture.store.set("a", forKey: "k")
      fixture.store.set(value, forKey: key)
      try fixture.store.flush()
      #expect(try fixture.read().format == .binary)
      #expect(try fixture.read().value[PlistKeyPath(key)] == value)
      #expect(fixture.store.plistValue(forKey: key) == value)
    }
  }

  @Test("An existing file keeps its format", arguments: [PlistFormat.xml, .binary])
  func existingFile(format: PlistFormat) throws {
    let fixture = try StoreFixture()
    try fixture.write(["a": 1], to: "user/\(StoreFixture.domain).plist", as: format)
    fixture.store.set(2, forKey: "b")
    try fixture.store.flush()
    #expect(try fixture.read().format == format)
    #expect(try fixture.read().value == ["a": 1, "b": 2])
    fixture.store.set(fraction, forKey: "date")
    try fixture.store.flush()
    #expect(try fixture.read().format == .binary)
    #expect(try fixture.read().value == ["a": 1, "b": 2, "date": .date(fraction)])
  }

  @Test("A JSON file is read and becomes XML, unless it contains null")
  func json() throws {
    let fixture = try StoreFixture()
    let name = "user/\(StoreFixture.domain).plist"
    try fixture.write([:], to: name)
    try fixture.folder.write(Data(#"{"a": 1, "b": [2.0]}"#.utf8), to: name)
    fixture.store.set(true, forKey: "c")
    try fixture.store.flush()
    #expect(try fixture.read().format == .xml)
    #expect(try fixture.read().value == ["a": 1, "b": [2.0], "c": true])

    let other = try StoreFixture()
    try other.write([:], to: name)
    try other.folder.write(Data(#"{"a": [{"b": null}]}"#.utf8), to: name)
    #expect(other.store.plistValue(forKey: "a") == nil)
    #expect(other.store.problems == [.notPreferences(path: other.path(name))])
  }

  @Test("A store pinned to XML rounds dates down as they are set")
  func pinnedToXML() throws {
    let fixture = try StoreFixture(format: .xml)
    let store = fixture.store
    let rounded: PlistValue = .date(Date(timeIntervalSinceReferenceDate: 1))
    store.set(fraction, forKey: "date")
    store.set([["k": fraction]], forKey: "nested")
    #expect(store.plistValue(forKey: "date") == rounded)
    #expect(store.plistValue(forKey: "nested") == [["k": rounded]])
    try store.update { $0["update"] = .date(fraction) }
    #expect(store.plistValue(forKey: "update") == rounded)
    try store.flush()
    #expect(try fixture.read().format == .xml)
    #expect(
      try fixture.read().value == ["date": rounded, "nested": [["k": rounded]], "update": rounded])
    store.setPersistentDomain(["all": fraction], forName: store.domain)
    #expect(store.plistValue(forKey: "all") == rounded)
    try store.flush()
    #expect(try fixture.read().value == ["all": rounded])
    // Before 2001 down is away from zero.
    store.set(Date(timeIntervalSinceReferenceDate: -1.5), forKey: "old")
    #expect(store.object(forKey: "old") as? Date == Date(timeIntervalSinceReferenceDate: -2))
  }

  @Test("A store pinned to binary writes binary from the start")
  func pinnedToBinary() throws {
    let fixture = try StoreFixture(format: .binary)
    fixture.store.set(Float(0.1), forKey: "k")
    try fixture.store.flush()
    #expect(try fixture.read().format == .binary)
    guard case .float? = try fixture.read().value[PlistKeyPath("k")] else {
      Issue.record("the float has become another number")
      return
    }
  }

  // MARK: Saving

  @Test("Values are saved in the background")
  func background() throws {
    let fixture = try StoreFixture()
    fixture.store.set(1, forKey: "k")
    #expect(eventually { (try? fixture.read().value) == ["k": 1] })
  }

  @Test("Saving includes domains that were replaced by name")
  func otherDomains() throws {
    let fixture = try StoreFixture()
    fixture.store.setPersistentDomain(["k": 1], forName: "other")
    fixture.store.setPersistentDomain(["g": 2], forName: PreferencesStore.globalDomain)
    try fixture.store.flush()
    #expect(try fixture.read("user/other.plist").value == ["k": 1])
    #expect(try fixture.read("user/.GlobalPreferences.plist").value == ["g": 2])
    fixture.store.removePersistentDomain(forName: "other")
    #expect(fixture.store.synchronize())
    #expect(try fixture.read("user/other.plist").value == [:])
  }

  @Test("Another process's changes are merged, except where a later write of the store counts")
  func merge() throws {
    let fixture = try StoreFixture()
    let store = fixture.store
    let name = "user/\(StoreFixture.domain).plist"
    store.set(1, forKey: "same")
    try store.flush()
    try fixture.write(["same": 2, "theirs": 1], to: name)
    // Equal to what the store has seen last, but not to what the file says by now.
    store.set(1, forKey: "same")
    store.set(1, forKey: "ours")
    try store.flush()
    #expect(try fixture.read().value == ["same": 1, "theirs": 1, "ours": 1])

    try fixture.write(["theirs": 2, "new": 1], to: name)
    store.setPersistentDomain(["only": 1], forName: store.domain)
    store.set(2, forKey: "later")
    try store.flush()
    #expect(try fixture.read().value == ["only": 1, "later": 2])
  }

  @Test("Synchronizing reads other processes' changes in every layer")
  func synchronize() throws {
    let fixture = try StoreFixture()
    let store = fixture.store
    #expect(!store.containsValue(forKey: "k"))
    try fixture.write(["k": 1], to: "user/.GlobalPreferences.plist")
    #expect(store.synchronize())
    #expect(store.integer(forKey: "k") == 1)
    try fixture.write(["k": 2], to: "user/\(StoreFixture.domain).plist")
    #expect(store.synchronize())
    #expect(store.integer(forKey: "k") == 2)
  }

  @Test("A value that equals a registered default is stored")
  func equalToRegistered() throws {
    let fixture = try StoreFixture()
    fixture.store.register(defaults: ["k": 1])
    fixture.store.set(1, forKey: "k")
    try fixture.store.flush()
    #expect(try fixture.read().value == ["k": 1])
  }

  @Test("An update is saved when it returns, together with earlier writes")
  func update() throws {
    let fixture = try StoreFixture()
    fixture.store.set(1, forKey: "pending")
    try fixture.store.update { $0["k"] = 1 }
    #expect(try fixture.read().value == ["pending": 1, "k": 1])
    try fixture.write(["theirs": 1, "k": 5], to: "user/\(StoreFixture.domain).plist")
    let seen = try fixture.store.update { $0 }
    #expect(seen == ["theirs": 1, "k": 5])
    #expect(fixture.store.integer(forKey: "theirs") == 1)
  }

  @Test("A file that cannot be read is reported and not overwritten until it is recovered")
  func corrupt() throws {
    let fixture = try StoreFixture()
    let name = "user/\(StoreFixture.domain).plist"
    try fixture.write([:], to: name)
    try fixture.folder.write("<plist><dict>", to: name)
    let store = fixture.store
    store.register(defaults: ["k": 1])
    #expect(store.integer(forKey: "k") == 1)
    #expect(store.problems.count == 1)
    store.set(2, forKey: "k")
    #expect(store.integer(forKey: "k") == 2)
    #expect(throws: PreferencesError.self) { try store.flush() }
    #expect(!store.synchronize())
    #expect(throws: PreferencesError.self) { try store.update { $0["k"] = 3 } }
    #expect(try fixture.folder.data(name) == Data("<plist><dict>".utf8))

    let kept = try #require(try store.recover())
    #expect(kept.hasPrefix(fixture.path(name) + ".corrupt-"))
    #expect(try Data(contentsOf: URL(filePath: kept)) == Data("<plist><dict>".utf8))
    #expect(try store.recover() == nil)
    try store.flush()
    #expect(store.problems.isEmpty)
    #expect(try fixture.read().value == ["k": 2])
  }

  @Test("A failed background save is reported, and the values stay")
  func failure() throws {
    let fixture = try StoreFixture()
    try fixture.folder.write("", to: "user")
    let failures = Lock<[PreferencesError]>([])
    fixture.store.onSaveFailure { error in failures.withLock { $0.append(error) } }
    fixture.store.set(1, forKey: "k")
    #expect(eventually { failures.withLock { !$0.isEmpty } })
    #expect(throws: PreferencesError.self) { try fixture.store.flush() }
    #expect(fixture.store.integer(forKey: "k") == 1)
    try FileManager.default.removeItem(atPath: fixture.path("user"))
    try fixture.store.flush()
    #expect(try fixture.read().value == ["k": 1])
  }

  // MARK: Sharing

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
    // Some file systems give the number of a removed folder to the next one.
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

  // MARK: Single files

  @Test("A store of a single file searches that file alone")
  func single() throws {
    let fixture = try StoreFixture()
    try fixture.write(["k": 1], to: "some/where.plist")
    let path = fixture.path("some/where.plist")
    let store = PreferencesStore(fileAt: path)
    #expect(store.domain == path)
    #expect(store.integer(forKey: "k") == 1)
    store.register(defaults: ["r": 1])
    store.addSuite(named: "suite")
    #expect(
      store.origin(forKey: "k")
        == PreferencesOrigin(
          layer: PreferencesLayer(kind: .user, domain: path, path: path), value: 1))
    #expect(store.searchList.entries.map(\.layer.kind) == [.user, .registration])
    store.set(2, forKey: "k")
    store.setPersistentDomain(["x": 1], forName: "other")
    #expect(store.persistentDomain(forName: "other") == nil)
    #expect(store.persistentDomain(forName: path) as? [String: Int] == ["k": 2])
    #expect(!store.objectIsForced(forKey: "k", inDomain: "other"))
    try store.flush()
    #expect(try fixture.read("some/where.plist").value == ["k": 2])
  }

  // MARK: Names

  @Test(
    "A domain name that leads out of the folder is rejected",
    arguments: ["", ".", "..", "a/b", "/", "a\0"])
  func names(name: String) throws {
    let fixture = try StoreFixture()
    #expect(throws: PreferencesError.invalidDomainName(name)) { try fixture.store(name) }
    #expect(PreferencesStore(suiteName: name) == nil)
  }
}
