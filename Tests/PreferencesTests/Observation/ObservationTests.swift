import FoundationEssentials
import PropertyList
import TestSupport
import Testing

@testable import Preferences

@Suite("Observers are notified of every effective change and nothing else")
struct ObservationTests {
  struct Failure: Error {}

  @Test(
    "Setting and removing a value notifies, setting an equal one does not",
    arguments: Backing.allCases)
  func values(backing: Backing) throws {
    let store = try StoreFixture(backing).store
    let recorder = ChangeRecorder(store)
    store.removeObject(forKey: "k")
    store.set(1, forKey: "k")
    store.set(1, forKey: "k")
    store.set(1.0, forKey: "k")
    store.set(Float(1), forKey: "k")
    store.set(["a": .real(.nan)] as PlistValue, forKey: "k")
    store.set(["a": .real(.nan)] as PlistValue, forKey: "k")
    store.set(2, forKey: "other")
    store.removeObject(forKey: "k")
    store.removeObject(forKey: "k")
    #expect(
      recorder.take() == [
        PreferencesChange(nil, 1), PreferencesChange(1, 1.0),
        PreferencesChange(1.0, ["a": .real(.nan)]), PreferencesChange(["a": .real(.nan)], nil),
      ])
    try store.flush()
    #expect(recorder.take() == [])
  }

  @Test("Emptying the domain notifies of each key", arguments: Backing.allCases)
  func removeAll(backing: Backing) throws {
    let store = try StoreFixture(backing).store
    store.set(1, forKey: "k")
    store.set(2, forKey: "l")
    try store.flush()
    store.register(defaults: ["l": 3])
    let recorder = ChangeRecorder(allOf: store)
    store.removeAll()
    store.removeAll()
    #expect(recorder.take() == [PreferencesChange(1, nil), PreferencesChange(2, 3, of: "l")])
    try store.flush()
    #expect(recorder.take() == [])
  }

  @Test("Registering a default notifies if no other layer has a value", arguments: Backing.allCases)
  func registration(backing: Backing) throws {
    let store = try StoreFixture(backing).store
    let recorder = ChangeRecorder(store)
    store.register(defaults: ["k": 1])
    store.set(1, forKey: "k")
    #expect(recorder.take() == [PreferencesChange(nil, 1)])
    store.register(defaults: ["k": 2, "other": 1])
    #expect(recorder.take() == [])
    store.removeObject(forKey: "k")
    store.set(3, forKey: "k")
    store.register(defaults: ["k": 4])
    store.removeAll()
    #expect(
      recorder.take() == [
        PreferencesChange(1, 2), PreferencesChange(2, 3), PreferencesChange(3, 4),
      ])
    store.setVolatileDomain(["k": 5], forName: PreferencesStore.registrationDomain)
    store.removeVolatileDomain(forName: PreferencesStore.registrationDomain)
    #expect(recorder.take() == [PreferencesChange(4, 5), PreferencesChange(5, nil)])
  }

  @Test(
    "Changing the argument domain notifies, changes beneath it do not", arguments: Backing.allCases)
  func arguments(backing: Backing) throws {
    let store = try StoreFixture(backing).store
    let recorder = ChangeRecorder(store)
    store.set(1, forKey: "k")
    store.setVolatileDomain(["k": "a"], forName: PreferencesStore.argumentDomain)
    #expect(recorder.take() == [PreferencesChange(nil, 1), PreferencesChange(1, "a")])
    store.set(2, forKey: "k")
    store.setVolatileDomain(["k": "a", "l": 1], forName: PreferencesStore.argumentDomain)
    store.setVolatileDomain(["k": "b"], forName: "another domain")
    #expect(recorder.take() == [])
    store.setVolatileDomain(["k": "b"], forName: PreferencesStore.argumentDomain)
    store.removeVolatileDomain(forName: PreferencesStore.argumentDomain)
    #expect(recorder.take() == [PreferencesChange("a", "b"), PreferencesChange("b", 2)])
  }

  @Test(
    "Adding and removing suites notifies of the keys whose values change",
    arguments: Backing.allCases)
  func suites(backing: Backing) throws {
    let store = try StoreFixture(backing).store
    store.setPersistentDomain(["k": 1, "l": 1], forName: "one")
    store.setPersistentDomain(["k": 2], forName: "two")
    store.setPersistentDomain(["other": 3], forName: "three")
    let (recorder, all) = (ChangeRecorder(store), ChangeRecorder(allOf: store))
    store.addSuite(named: "three")
    store.addSuite(named: "one")
    store.addSuite(named: "two")
    store.addSuite(named: "one")
    store.setPersistentDomain(["k": 4, "l": 1], forName: "one")
    store.removeSuite(named: "three")
    store.removeSuite(named: "none")
    store.set(5, forKey: "k")
    store.removeSuite(named: "one")
    store.removeSuite(named: "two")
    store.removeObject(forKey: "k")
    let changes = [
      PreferencesChange(nil, 1), PreferencesChange(1, 2), PreferencesChange(2, 1),
      PreferencesChange(1, 4), PreferencesChange(4, 5), PreferencesChange(5, nil),
    ]
    #expect(recorder.take() == changes)
    #expect(all.all.filter { $0.key == "k" } == changes)
    #expect(
      all.take().filter { $0.key != "k" } == [
        PreferencesChange(nil, 3, of: "other"), PreferencesChange(nil, 1, of: "l"),
        PreferencesChange(3, nil, of: "other"), PreferencesChange(1, nil, of: "l"),
      ])
    // Changes of a removed suite are not delivered.
    store.setPersistentDomain(["k": 6], forName: "one")
    #expect(recorder.take() == [])
    try store.flush()
  }

  @Test(
    "A suite's changes by another store notify if the suite is searched", arguments: [true, false])
  func suiteStore(isAdded: Bool) throws {
    let fixture = try StoreFixture()
    let suite = try fixture.store("suite")
    let recorder = ChangeRecorder(fixture.store)
    if isAdded { fixture.store.addSuite(named: "suite") }
    suite.set(1, forKey: "k")
    #expect(recorder.take() == (isAdded ? [PreferencesChange(nil, 1)] : []))
    try suite.flush()
  }

  @Test("Changes of each layer notify if no earlier layer has a value", arguments: Backing.allCases)
  func layers(backing: Backing) throws {
    let fixture = try StoreFixture(backing)
    let store = fixture.store
    store.addSuite(named: "suite")
    let recorder = ChangeRecorder(store)
    let entries = store.searchList.entries
    var expected: [PreferencesChange] = []
    var last: PlistValue?
    for (number, entry) in entries.enumerated().reversed() {
      let value = PlistValue.integer(Int64(number))
      try entry.set(value, forKey: "k")
      expected.append(PreferencesChange(last, value))
      last = value
    }
    #expect(recorder.take() == expected)
    for entry in entries.dropFirst() { try entry.set("not seen", forKey: "k") }
    #expect(recorder.take() == [])
    expected = []
    last = 0
    for (number, entry) in entries.enumerated() {
      try entry.set(nil, forKey: "k")
      let value: PlistValue? = number == entries.count - 1 ? nil : "not seen"
      if value != last { expected.append(PreferencesChange(last, value)) }
      last = value
    }
    #expect(recorder.take() == expected)
  }

  @Test(
    "Replacing a domain notifies of the keys that differ", arguments: Backing.allCases,
    [false, true])
  func replacement(backing: Backing, isGlobal: Bool) throws {
    let fixture = try StoreFixture(backing)
    let store = fixture.store
    let name = isGlobal ? PreferencesStore.globalDomain : store.domain
    let recorder = ChangeRecorder(allOf: store)
    store.setPersistentDomain(["a": 1, "b": 1], forName: name)
    #expect(
      Set(recorder.take()) == [
        PreferencesChange(nil, 1, of: "a"), PreferencesChange(nil, 1, of: "b"),
      ])
    store.setPersistentDomain(["a": 1, "b": 2], forName: name)
    #expect(recorder.take() == [PreferencesChange(1, 2, of: "b")])
    try store.flush()
    store.setPersistentDomain(["b": 2, "a": 1], forName: name)
    try store.flush()
    #expect(recorder.take() == [])
    store.setPersistentDomain(["b": 2], forName: name)
    #expect(recorder.take() == [PreferencesChange(1, nil, of: "a")])
    store.removePersistentDomain(forName: name)
    store.removePersistentDomain(forName: name)
    #expect(recorder.take() == [PreferencesChange(2, nil, of: "b")])
    try store.flush()
  }

  @Test("Replacing a domain by name through another store notifies")
  func replacementByName() throws {
    let fixture = try StoreFixture()
    let other = try fixture.store("other")
    let recorder = ChangeRecorder(fixture.store)
    other.setPersistentDomain(["k": 1], forName: fixture.store.domain)
    other.removePersistentDomain(forName: fixture.store.domain)
    #expect(recorder.take() == [PreferencesChange(nil, 1), PreferencesChange(1, nil)])
    try other.flush()
  }

  @Test("An update notifies after its return", arguments: Backing.allCases)
  func update(backing: Backing) throws {
    let store = try StoreFixture(backing).store
    let recorder = ChangeRecorder(store)
    try store.update { _ in }
    try store.update { values in
      values["k"] = 1
      values["k"] = 2
      values["other"] = 1
      #expect(recorder.all == [])
    }
    try store.update { _ in }
    try store.update { $0["k"] = 2 }
    #expect(recorder.take() == [PreferencesChange(nil, 2)])
    #expect(throws: Failure.self) {
      try store.update { values in
        values["k"] = 3
        throw Failure()
      }
    }
    #expect(throws: PreferencesError.self) { try store.update { $0["k"] = .null } }
    #expect(recorder.take() == [])
    store.set(4, forKey: "k")
    #expect(throws: Failure.self) { try store.update { _ in throw Failure() } }
    try store.update { $0["k"] = 5 }
    try store.update { $0["k"] = nil }
    #expect(
      recorder.take() == [
        PreferencesChange(2, 4), PreferencesChange(4, 5), PreferencesChange(5, nil),
      ])
  }

  @Test("A value set during an update notifies", arguments: Backing.allCases)
  func setInUpdate(backing: Backing) throws {
    let store = try StoreFixture(backing).store
    let recorder = ChangeRecorder(store)
    store.set(1, forKey: "k")
    try store.update { values in
      values["k"] = 2
      // On another thread, since the body itself must not set values.
      #expect(TestThread { store.set(3, forKey: "k") }.join())
    }
    #expect(store.integer(forKey: "k") == 3)
    try store.flush()
    #expect(recorder.take() == [PreferencesChange(nil, 1), PreferencesChange(1, 3)])
  }

  @Test("Rounding unsaved dates for a pinned format notifies")
  func pinned() throws {
    let fixture = try StoreFixture()
    let recorder = ChangeRecorder(fixture.store)
    func date(_ seconds: Double) -> PlistValue {
      .date(Date(timeIntervalSinceReferenceDate: seconds))
    }
    fixture.store.set(date(1.5), forKey: "k")
    fixture.store.set(date(1.5), forKey: "l")
    let other = try fixture.store(format: .xml)
    try other.flush()
    #expect(other.plistValue(forKey: "k") == date(1))
    #expect(
      recorder.take() == [
        PreferencesChange(nil, date(1.5)), PreferencesChange(date(1.5), date(1)),
      ])
  }

  @Test("Rounding saved dates for a pinned format notifies")
  func pinnedFile() throws {
    let fixture = try StoreFixture()
    let date = PlistValue.date(Date(timeIntervalSinceReferenceDate: 1.5))
    let whole = PlistValue.date(Date(timeIntervalSinceReferenceDate: 1))
    try fixture.store.update { $0["k"] = date }
    let recorder = ChangeRecorder(fixture.store)
    let other = try fixture.store(format: .xml)
    other.set(1, forKey: "other")
    try other.flush()
    #expect(try fixture.read().value == ["k": whole, "other": 1])
    #expect(other.plistValue(forKey: "k") == whole)
    #expect(recorder.take() == [PreferencesChange(date, whole)])
  }
}
