import Foundation
import PropertyList
import TestSupport
import Testing

@testable import Preferences

@Suite("A read-only store", .timeLimit(.minutes(5)))
struct ReadOnlyStoreTests {
  private let folder: TemporaryFolder
  private let store: PreferencesStore
  private var path: String { folder.path("k.plist") }

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Plist.write(["a": 1], as: .xml), to: "k.plist")
    var options = PreferencesStore.Options()
    options.arguments = []
    options.usesPrivateRegistrationDomain = true
    options.isReadOnly = true
    store = PreferencesStore(fileAt: folder.path("k.plist"), options: options)
  }

  @Test("Its values can be read, and nothing has to be saved")
  func reading() throws {
    #expect(store.isReadOnly)
    #expect(store.integer(forKey: "a") == 1)
    store.register(defaults: ["b": 2])
    #expect(store.integer(forKey: "b") == 2)
    try store.flush()
    #expect(store.synchronize())
    #expect(try folder.names() == ["k.plist"])
  }

  @Test("A value that is set is refused and reported, and the next flush says so")
  func setting() throws {
    let events = Recorder<PreferencesEvent>()
    let observation = PreferencesStore.onEvent { [path] event in
      if event.path == path { events.record(event) }
    }
    let changes = Recorder<PreferencesChange>()
    let observed = store.observe("a") { changes.record($0) }
    store.set(2, forKey: "a")
    store.set(PlistValue.string("x"), forKey: "b")
    store.set("y" as Any?, forKey: "c")
    store.removeObject(forKey: "a")
    store.removeAll()
    store.setPersistentDomain(["a": 3], forName: path)
    store.set(["x": 1, "y": 2] as PlistDictionary)
    #expect(store.plistRepresentation == ["a": 1])
    #expect(changes.all == [])
    #expect(
      events.all.map { "\($0)" } == [
        "\(path), a: the store is read-only", "\(path), b: the store is read-only",
        "\(path), c: the store is read-only", "\(path), a: the store is read-only",
        "\(path): the store is read-only", "\(path): the store is read-only",
        "\(path): the store is read-only",
      ])
    #expect(
      events.all.allSatisfy { $0.name == "refusedChange" && $0.isWarning && $0.domain == "k" })
    #expect(events.all.map(\.key) == ["a", "b", "c", "a", nil, nil, nil])
    #expect(throws: PreferencesError.readOnly(path)) { try store.flush() }
    try store.flush()
    #expect(try folder.names() == ["k.plist"])
    observation.cancel()
    observed.cancel()
  }

  @Test("What throws throws at once, and reports nothing")
  func throwing() throws {
    let error = PreferencesError.readOnly(path)
    #expect(throws: error) { try store.setAny(2, forKey: "a") }
    #expect(throws: error) { try store.update { $0["a"] = 2 } }
    #expect(throws: error) { try store.import(from: path) }
    #expect(throws: error) { try store.recover() }
    #expect(throws: PreferencesError.nullValue(at: PlistKeyPath(components: ["a", "0"]))) {
      try store.setAny([PlistValue.null], forKey: "a")
    }
    try store.flush()
    #expect("\(error)" == "\(path): the store is read-only")
    #expect(store.integer(forKey: "a") == 1)
  }

  @Test("It sees what other stores of the file save")
  func others() throws {
    #expect(store.integer(forKey: "a") == 1)
    let other = PreferencesStore(fileAt: path)
    other.set(2, forKey: "a")
    #expect(store.integer(forKey: "a") == 2)
    try other.flush()
    try folder.write(Plist.write(["a": 3], as: .xml), to: "k.plist")
    #expect(eventually { store.integer(forKey: "a") == 3 })
  }
}
