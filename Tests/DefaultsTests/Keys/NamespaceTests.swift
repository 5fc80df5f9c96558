import Defaults
import PropertyList
import Testing

@Suite("Defaults.Namespace")
struct NamespaceTests {
  @Test("A key's name begins with the namespace's name and a dot")
  func names() {
    let store = PreferencesStore.inMemory()
    let network = Defaults.Namespace("network", suite: store)
    let proxy = network.key("proxy", default: "none")
    #expect(proxy.name == "network.proxy")
    #expect(Defaults[proxy] == "none")
    Defaults[proxy] = "example.org"
    #expect(store.string(forKey: "network.proxy") == "example.org")

    let retries: Defaults.Key<Int?> = network.namespace("tcp").key("retries")
    #expect(retries.name == "network.tcp.retries")
    #expect(Defaults[retries] == nil)
  }

  @Test("A namespace's subscript accesses values by name, untyped until they are read")
  func subscripts() {
    let store = PreferencesStore.inMemory()
    let network = Defaults.Namespace("network", suite: store)
    #expect(network["retries"] == nil)
    network["retries"] = 3
    #expect(network["retries"]?.get(Int.self) == 3)
    #expect(store.integer(forKey: "network.retries") == 3)
    network["retries"] = nil
    #expect(!store.containsValue(forKey: "network.retries"))
  }

  @Test("A namespace lists and removes only its own keys")
  func allKeys() {
    let store = PreferencesStore.inMemory()
    let network = Defaults.Namespace("net", suite: store)
    _ = network.key("registered", default: 1)
    network["b"] = 1
    network["a.c"] = 2
    store.set("other", forKey: "network")
    store.set("other", forKey: "nets.a")
    #expect(network.names == ["a.c", "b", "registered"])
    network.removeAll()
    #expect(network.names == ["registered"])
    #expect(store.string(forKey: "network") == "other")
    #expect(store.string(forKey: "nets.a") == "other")
  }

  @Test("Migrations of a namespace's key use full names")
  func migration() {
    let store = PreferencesStore.inMemory()
    store.set(8080, forKey: "port")
    let network = Defaults.Namespace("network", suite: store)
    #expect(Defaults[network.key("port", default: 80, migrate: .renamed(from: "port"))] == 8080)
    #expect(!store.containsValue(forKey: "port"))
  }
}
