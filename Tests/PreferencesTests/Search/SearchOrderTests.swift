import FoundationEssentials
import PropertyList
import TestSupport
import Testing

@testable import Preferences

@Suite("The search list")
struct SearchOrderTests {
  @Test(
    "The first layer with a value for a key supplies it",
    arguments: Backing.allCases)
  func order(backing: Backing) throws {
    let fixture = try StoreFixture(backing)
    let store = fixture.store
    store.addSuite(named: "first")
    store.addSuite(named: "second")
    let entries = store.searchList.entries
    let kinds: [PreferencesLayer.Kind] = [
      .managed, .argument, .userHost, .userHost, .user, .suiteHost, .suiteHost, .suite, .suiteHost,
      .suiteHost, .suite, .globalHost, .globalHost, .global, .global, .system, .system, .system,
      .systemGlobal, .registration,
    ]
    #expect(entries.map(\.layer.kind) == kinds)
    for (index, entry) in entries.enumerated().reversed() {
      try entry.set(.integer(Int64(index)), forKey: "k")
      #expect(store.integer(forKey: "k") == index)
      #expect(store.origin(forKey: "k")?.layer == entry.layer.supplying("k", variable: nil))
    }
    let origins = store.origins(forKey: "k")
    #expect(origins.map(\.layer) == entries.map { $0.layer.supplying("k", variable: nil) })
    #expect(origins.map(\.value) == entries.indices.map { .integer(Int64($0)) })
    for (index, entry) in entries.enumerated() {
      try entry.set(nil, forKey: "k")
      #expect(store.object(forKey: "k") as? Int == (index + 1 < entries.count ? index + 1 : nil))
    }
    #expect(store.origin(forKey: "k") == nil)
  }

  @Test(
    "The dictionary representation has the effective value of each key", arguments: Backing.allCases
  )
  func representation(backing: Backing) throws {
    let fixture = try StoreFixture(backing)
    let store = fixture.store
    store.addSuite(named: "suite")
    for (index, entry) in store.searchList.entries.enumerated() {
      try entry.set(.integer(Int64(index)), forKey: "only \(index)")
      try entry.set(.integer(Int64(index)), forKey: "all")
      try entry.set(.array([.string("\(index)")]), forKey: index.isMultiple(of: 2) ? "even" : "odd")
    }
    let representation = store.dictionaryRepresentation()
    #expect(representation.count == store.searchList.entries.count + 3)
    for (key, value) in representation {
      #expect(try PlistValue(storing: value) == store.plistValue(forKey: key), "\(key)")
    }
    #expect(store.plistRepresentation["all"] == 0)
  }

  @Test("Only the user's own domain is written", arguments: Backing.allCases)
  func writes(backing: Backing) throws {
    let fixture = try StoreFixture(backing)
    let store = fixture.store
    store.addSuite(named: "suite")
    for entry in store.searchList.entries { try entry.set("other", forKey: "k") }
    store.set("mine", forKey: "k")
    #expect(store.string(forKey: "k") == "other")
    #expect(store.persistentDomain(forName: store.domain) as? [String: String] == ["k": "mine"])
    store.removeObject(forKey: "k")
    #expect(store.persistentDomain(forName: store.domain) == nil)
    let left = store.origins(forKey: "k")
    #expect(left.count == store.searchList.entries.count - 1)
    #expect(left.allSatisfy { $0.layer.kind != .user })
  }

  @Test("A managed value cannot be overridden and counts as forced", arguments: Backing.allCases)
  func forced(backing: Backing) throws {
    let fixture = try StoreFixture(backing)
    let store = fixture.store
    store.set(1, forKey: "k")
    #expect(!store.objectIsForced(forKey: "k"))
    try store.searchList.entries[0].set(2, forKey: "k")
    store.set(3, forKey: "k")
    #expect(store.objectIsForced(forKey: "k"))
    #expect(store.objectIsForced(forKey: "k", inDomain: store.domain))
    #expect(!store.objectIsForced(forKey: "k", inDomain: "other"))
    #expect(!store.objectIsForced(forKey: "k", inDomain: "../x"))
    #expect(!store.objectIsForced(forKey: "none"))
    #expect(store.integer(forKey: "k") == 2)
    #expect(store.persistentDomain(forName: store.domain) as? [String: Int] == ["k": 3])
  }

  @Test(
    "The suite that was added last comes first, until it is removed", arguments: Backing.allCases)
  func suites(backing: Backing) throws {
    let fixture = try StoreFixture(backing)
    let store = fixture.store
    for name in ["a", "b", "c"] {
      store.setPersistentDomain(["k": name, name: true], forName: name)
      store.addSuite(named: name)
    }
    #expect(store.string(forKey: "k") == "c")
    store.addSuite(named: "a")
    #expect(store.string(forKey: "k") == "a")
    store.removeSuite(named: "a")
    #expect(store.string(forKey: "k") == "c")
    #expect(!store.containsValue(forKey: "a"))
    #expect(store.containsValue(forKey: "b"))
    store.removeSuite(named: "a")
    for name in ["b", "c"] { store.removeSuite(named: name) }
    #expect(!store.containsValue(forKey: "k"))

    let count = store.searchList.entries.count
    for name in ["", ".", "..", "a/b", "a\0b", store.domain, PreferencesStore.globalDomain] {
      store.addSuite(named: name)
    }
    #expect(store.searchList.entries.count == count)
    try store.flush()
  }

  @Test("Arguments take precedence over files", arguments: [true, false])
  func arguments(own: Bool) throws {
    let fixture = try StoreFixture()
    fixture.store.set("file", forKey: "k")
    let store = try fixture.store(arguments: own ? ["-k", "argument", "-n", "5"] : [])
    #expect(store.string(forKey: "k") == (own ? "argument" : "file"))
    #expect(store.integer(forKey: "n") == (own ? 5 : 0))
    #expect(fixture.store.string(forKey: "k") == "file")
  }

  @Test("Each layer has a path of its own")
  func paths() throws {
    let fixture = try StoreFixture()
    let root = fixture.folder.path
    fixture.store.addSuite(named: "s")
    let domain = StoreFixture.domain
    #expect(
      fixture.store.searchList.entries.map(\.layer.path) == [
        "\(root)/managed/\(domain).plist", nil,
        "\(root)/user/ByHost/\(domain).host.plist", "\(root)/user/ByHost/\(domain)..plist",
        "\(root)/user/\(domain).plist",
        "\(root)/user/ByHost/s.host.plist", "\(root)/user/ByHost/s..plist", "\(root)/user/s.plist",
        "\(root)/user/ByHost/.GlobalPreferences.host.plist",
        "\(root)/user/ByHost/.GlobalPreferences..plist",
        "\(root)/user/.GlobalPreferences.plist", "\(root)/user/NSGlobalDomain.plist",
        "\(root)/system/\(domain).plist", "\(root)/system/s.plist",
        "\(root)/system/.GlobalPreferences.plist", nil,
      ])
  }

  @Test("The folders of a layer are searched in order")
  func folders() throws {
    let fixture = try StoreFixture()
    var locations = fixture.locations
    locations.managed = ["managed-user", "managed-all"].map(fixture.path)
    locations.system = ["system-1", "system-2", "system-3"].map(fixture.path)
    let folders = ["managed-user", "managed-all", "system-1", "system-2", "system-3"]
    for (index, folder) in folders.enumerated() {
      var values: PlistDictionary = ["\(folder)": true]
      for key in index..<folders.count { values["from \(key)"] = .string(folder) }
      try fixture.write(values, to: "\(folder)/d.plist")
    }
    var options = PreferencesStore.Options()
    options.locations = locations
    options.arguments = []
    options.usesPrivateRegistrationDomain = true
    let store = try PreferencesStore(domain: "d", options: options)
    for folder in folders { #expect(store.bool(forKey: folder)) }
    #expect(store.string(forKey: "from 0") == "managed-user")
    #expect(store.string(forKey: "from 4") == "managed-user")
    #expect(store.objectIsForced(forKey: "managed-all"))
    #expect(!store.objectIsForced(forKey: "system-1"))
    try FileManager.default.removeItem(atPath: fixture.path("managed-user/d.plist"))
    try FileManager.default.removeItem(atPath: fixture.path("managed-all/d.plist"))
    store.synchronize()
    #expect(store.string(forKey: "from 4") == "system-1")
  }

  @Test("A store of the global domain searches it once")
  func global() throws {
    let fixture = try StoreFixture(domain: PreferencesStore.globalDomain)
    let store = fixture.store
    #expect(
      store.searchList.entries.map(\.layer.kind) == [
        .managed, .argument, .userHost, .userHost, .user, .global, .systemGlobal, .registration,
      ])
    store.set(1, forKey: "k")
    try store.flush()
    #expect(try fixture.read("user/.GlobalPreferences.plist").value == ["k": 1])
    let application = try fixture.store()
    #expect(application.integer(forKey: "k") == 1)
    #expect(application.origin(forKey: "k")?.layer.kind == .global)
  }

  @Test("Foundation's host file and global domain are found")
  func foundation() throws {
    let fixture = try StoreFixture()
    try fixture.write(["host": 1, "both": 1], to: "user/ByHost/\(StoreFixture.domain)..plist")
    try fixture.write(["global": 1], to: "user/NSGlobalDomain.plist")
    try fixture.write(["both": 2], to: "user/ByHost/\(StoreFixture.domain).host.plist")
    #expect(fixture.store.integer(forKey: "host") == 1)
    #expect(fixture.store.integer(forKey: "both") == 2)
    #expect(fixture.store.origin(forKey: "host")?.layer.kind == .userHost)
    #expect(fixture.store.origin(forKey: "global")?.layer.kind == .global)
  }

  @Test("Kinds of layers are ordered as they are searched")
  func kinds() {
    let kinds = PreferencesLayer.Kind.allCases
    #expect(kinds.shuffled().sorted() == kinds)
    #expect(!(PreferencesLayer.Kind.user < .user))
  }
}
