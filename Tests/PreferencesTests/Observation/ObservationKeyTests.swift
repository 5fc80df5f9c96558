import PropertyList
import TestSupport
import Testing

import Threading
@testable import Preferences

@Suite("Observers of given keys")
struct ObservationKeyTests {
  @Test("An observer is first called with the current value by option", arguments: Backing.allCases)
  func initial(backing: Backing) throws {
    let store = try StoreFixture(backing).store
    store.set(1, forKey: "k")
    store.register(defaults: ["r": 2])
    let recorder = ChangeRecorder(store, initial: true)
    #expect(recorder.take() == [PreferencesChange(1, 1)])
    let several = ChangeRecorder(store, keys: ["r", "none", "k", "r"], initial: true)
    #expect(
      several.take() == [
        PreferencesChange(2, 2, of: "r"), PreferencesChange(nil, nil, of: "none"),
        PreferencesChange(1, 1),
      ])
    store.set(3, forKey: "k")
    for recorder in [recorder, several] { #expect(recorder.take() == [PreferencesChange(1, 3)]) }
    #expect(ChangeRecorder(store).take() == [])
    #expect(ChangeRecorder(store, keys: ["k", "r"]).take() == [])
    #expect(ChangeRecorder(store, keys: [], initial: true).take() == [])
  }

  @Test("The initial call precedes the return of observe, also while another thread writes")
  func initialInARace() throws {
    let store = try StoreFixture(.memory).store
    store.set(0, forKey: "k")
    let isDone = Latch()
    let writer = TestThread {
      var number = 0
      while !isDone.isOpen {
        number += 1
        store.set(number, forKey: "k")
      }
    }
    var failures = 0
    for _ in 0..<5000 {
      let recorder = ChangeRecorder(store, initial: true)
      if recorder.all.first.map({ $0.oldValue == $0.newValue }) != true { failures += 1 }
      recorder.cancel()
      // It may have received more changes by now, which must continue the first.
      let all = recorder.all
      if !all.isChain(from: all.first?.oldValue) { failures += 1 }
    }
    isDone.open()
    #expect(writer.join())
    #expect(failures == 0)
  }

  @Test("Keys are distinguished by their bytes", arguments: Backing.allCases)
  func canonicalEquivalence(backing: Backing) throws {
    let store = try StoreFixture(backing).store
    let (composed, decomposed) = ("\u{E9}", "e\u{301}")
    let recorders = [composed, decomposed].map { ChangeRecorder(store, $0) }
    let both = ChangeRecorder(store, keys: [decomposed, composed], initial: true)
    store.set(1, forKey: composed)
    store.set(2, forKey: decomposed)
    let changes = [
      PreferencesChange(nil, 1, of: composed), PreferencesChange(nil, 2, of: decomposed),
    ]
    #expect(recorders.map { $0.take() } == [[changes[0]], [changes[1]]])
    #expect(
      both.take().map { Array($0.key.utf8) }
        == [decomposed, composed, composed, decomposed].map { Array($0.utf8) })
    // Equal as strings, but not as values.
    store.set(composed, forKey: "k")
    let value = ChangeRecorder(store)
    store.set(decomposed, forKey: "k")
    #expect(value.take() == [PreferencesChange(.string(composed), .string(decomposed))])
  }

  @Test("A key that is given twice is notified once", arguments: Backing.allCases)
  func repeated(backing: Backing) throws {
    let store = try StoreFixture(backing).store
    let recorder = ChangeRecorder(store, keys: ["k", "l", "k"])
    store.set(1, forKey: "k")
    #expect(recorder.take() == [PreferencesChange(nil, 1)])
    recorder.cancel()
    store.set(2, forKey: "k")
    #expect(recorder.take() == [])
  }

  @Test(
    "Changes of several keys are delivered in the order of the writes", arguments: Backing.allCases)
  func order(backing: Backing) throws {
    let store = try StoreFixture(backing).store
    let (some, all) = (ChangeRecorder(store, keys: ["b", "", "a"]), ChangeRecorder(allOf: store))
    var changes: [PreferencesChange] = []
    for number in 1...20 {
      for key in number % 2 == 0 ? ["a", "b", "", "c"] : ["c", "b", "", "a"] {
        let old = store.plistValue(forKey: key)
        store.set(number, forKey: key)
        changes.append(PreferencesChange(old, .integer(Int64(number)), of: key))
      }
    }
    #expect(all.take() == changes)
    #expect(some.take() == changes.filter { $0.key != "c" })
  }

  @Test("An observer of all keys is notified of changes in any layer", arguments: Backing.allCases)
  func all(backing: Backing) throws {
    let store = try StoreFixture(backing).store
    let all = ChangeRecorder(allOf: store)
    store.register(defaults: ["r": 1])
    store.setVolatileDomain(["a": 1], forName: PreferencesStore.argumentDomain)
    store.setPersistentDomain(["g": 1], forName: PreferencesStore.globalDomain)
    store.set(1, forKey: "k")
    store.set(2, forKey: "a")
    try store.update { $0["u"] = 1 }
    #expect(
      all.take() == ["r", "a", "g", "k", "u"].map { PreferencesChange(nil, 1, of: $0) })
    try store.flush()
  }

  @Test("Observers are called in the order of their registration", arguments: Backing.allCases)
  func observers(backing: Backing) throws {
    let store = try StoreFixture(backing).store
    let order = Lock<[Int]>([])
    var tokens = (0..<10).map { number in
      store.observe("k") { _ in order.withLock { $0.append(number) } }
    }
    store.set(1, forKey: "k")
    #expect(order.withLock { $0 } == Array(0..<10))
    tokens[3].cancel()
    tokens.append(store.observe("k") { _ in order.withLock { $0.append(10) } })
    order.withLock { $0 = [] }
    store.set(2, forKey: "k")
    #expect(order.withLock { $0 } == [0, 1, 2, 4, 5, 6, 7, 8, 9, 10])
    withExtendedLifetime(tokens) {}
  }

  @Test("Observers of two stores of a domain are notified of what each store sees")
  func stores() throws {
    let fixture = try StoreFixture()
    let other = try fixture.store()
    let recorders = [ChangeRecorder(fixture.store), ChangeRecorder(other)]
    fixture.store.set(1, forKey: "k")
    other.set(2, forKey: "k")
    let changes = [PreferencesChange(nil, 1), PreferencesChange(1, 2)]
    for recorder in recorders { #expect(recorder.take() == changes) }
    other.setVolatileDomain(["k": "a"], forName: PreferencesStore.argumentDomain)
    fixture.store.set(3, forKey: "k")
    #expect(recorders[0].take() == [PreferencesChange(2, 3)])
    #expect(recorders[1].take() == [PreferencesChange(2, "a")])
    let single = ChangeRecorder(PreferencesStore(fileAt: fixture.store.user.path!), initial: true)
    fixture.store.set(4, forKey: "k")
    #expect(single.take() == [PreferencesChange(3, 3), PreferencesChange(3, 4)])
    try other.flush()
  }

  @Test("A registered default notifies the observers of all stores that share it")
  func sharedRegistration() throws {
    let fixture = try StoreFixture()
    var options = PreferencesStore.Options()
    options.locations = fixture.locations
    options.arguments = []
    let stores = try ["one", "two"].map { try PreferencesStore(domain: $0, options: options) }
    let key = "shared by all observers"
    let recorders = stores.map { ChangeRecorder($0, key) }
    stores[0].register(defaults: [key: 1])
    for recorder in recorders { #expect(recorder.take() == [PreferencesChange(nil, 1, of: key)]) }
  }
}
