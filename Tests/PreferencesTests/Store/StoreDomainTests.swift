import PropertyList
import TestSupport
import Testing

@testable import Preferences

@Suite("Domains of stores on files and in memory")
struct StoreDomainTests {
  @Test(
    "Registered defaults are merged, later ones win, and any value overrides them",
    arguments: Backing.allCases)
  func registration(backing: Backing) throws {
    let fixture = try StoreFixture(backing)
    let store = fixture.store
    store.register(defaults: ["a": 1, "b": 1])
    store.register(defaults: ["b": 2, "c": 2] as PlistDictionary)
    store.register(defaults: [:])
    #expect(store.integer(forKey: "a") == 1)
    #expect(store.integer(forKey: "b") == 2)
    #expect(store.integer(forKey: "c") == 2)
    store.set(2, forKey: "b")
    #expect(store.persistentDomain(forName: store.domain)?["b"] as? Int == 2)
    #expect(store.persistentDomain(forName: store.domain)?.count == 1)
    store.register(defaults: ["b": 3])
    #expect(store.integer(forKey: "b") == 2)
    store.removeObject(forKey: "b")
    #expect(store.integer(forKey: "b") == 3)
  }

  @Test(
    "Volatile domains are replaced as a whole", arguments: Backing.allCases)
  func volatileDomains(backing: Backing) throws {
    let fixture = try StoreFixture(backing)
    let store = fixture.store
    let argument = PreferencesStore.argumentDomain
    let registration = PreferencesStore.registrationDomain
    store.register(defaults: ["a": 1])
    store.setVolatileDomain(["b": 2], forName: registration)
    #expect(!store.containsValue(forKey: "a"))
    #expect(store.integer(forKey: "b") == 2)
    store.set(1, forKey: "b")
    store.setVolatileDomain(["b": "3"], forName: argument)
    #expect(store.integer(forKey: "b") == 3)
    store.setVolatileDomain(["c": 4], forName: argument)
    #expect(store.integer(forKey: "b") == 1)
    #expect(store.volatileDomain(forName: argument) as? [String: Int] == ["c": 4])

    store.setVolatileDomain(["d": 5], forName: "other")
    #expect(!store.containsValue(forKey: "d"))
    #expect(store.volatileDomain(forName: "other") as? [String: Int] == ["d": 5])
    #expect(store.volatileDomainNames == [argument, registration, "other"])
    for name in store.volatileDomainNames { store.removeVolatileDomain(forName: name) }
    #expect(store.volatileDomainNames == [argument, registration])
    #expect(!store.containsValue(forKey: "c"))
    #expect(store.volatileDomain(forName: registration).isEmpty)
    #expect(store.volatileDomain(forName: "none").isEmpty)
  }

  @Test(
    "A persistent domain is a single file and replaced as a whole", arguments: Backing.allCases
  )
  func persistentDomains(backing: Backing) throws {
    let fixture = try StoreFixture(backing)
    let store = fixture.store
    store.register(defaults: ["r": 1])
    #expect(store.persistentDomain(forName: store.domain) == nil)
    store.set(1, forKey: "a")
    store.setPersistentDomain(["b": 2], forName: store.domain)
    #expect(store.persistentDomain(forName: store.domain) as? [String: Int] == ["b": 2])
    #expect(!store.containsValue(forKey: "a"))
    store.setPersistentDomain(["g": 3], forName: PreferencesStore.globalDomain)
    #expect(store.integer(forKey: "g") == 3)
    #expect(store.persistentDomain(forName: PreferencesStore.globalDomain)?.count == 1)
    store.setPersistentDomain(["o": 4], forName: "other")
    #expect(!store.containsValue(forKey: "o"))
    #expect(store.persistentDomain(forName: "other") as? [String: Int] == ["o": 4])
    store.removePersistentDomain(forName: store.domain)
    #expect(store.persistentDomain(forName: store.domain) == nil)
    #expect(store.containsValue(forKey: "r"))

    store.setPersistentDomain(["x": 1], forName: "../escape")
    #expect(store.persistentDomain(forName: "../escape") == nil)
    try store.flush()
    #expect(store.persistentDomain(forName: "other") as? [String: Int] == ["o": 4])
  }
}
