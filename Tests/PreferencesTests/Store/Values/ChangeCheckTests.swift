import Foundation
import PropertyList
import TestSupport
import Testing

@testable import Preferences

@Suite("The checks of what the process sets", .timeLimit(.minutes(5)))
struct ChangeCheckTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("k.plist") }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func options(_ change: (inout PreferencesStore.Options) -> Void)
    -> PreferencesStore.Options
  {
    var options = PreferencesStore.Options()
    options.arguments = []
    options.usesPrivateRegistrationDomain = true
    change(&options)
    return options
  }

  /// Opens a store whose port must be valid, which each value alone shows.
  private func portStore(
    _ change: (inout PreferencesStore.Options) -> Void = { _ in }
  ) -> PreferencesStore {
    let options = options { options in
      options.valueCheck = { key, value in
        guard key == "port" else { return }
        guard case .integer(0...65535) = value else { throw Refusal("not a port") }
      }
      change(&options)
    }
    return PreferencesStore(fileAt: path, options: options)
  }

  /// Opens a store that needs a host, which only all values together show.
  private func hostStore() -> PreferencesStore {
    let options = options { options in
      options.check = { values in
        if values["host"] == nil { throw Refusal("no host") }
      }
    }
    return PreferencesStore(fileAt: path, options: options)
  }

  private func refusal(_ key: String?, _ reason: String) -> PreferencesError {
    .refusedChange(domain: path, key: key, reason: reason)
  }

  private var stored: PlistValue? { try? Plist.read(folder.data("k.plist")).value }

  // MARK: Values by themselves

  @Test("A value that fails is refused and reported, and the next flush saves the rest and says so")
  func setting() throws {
    let store = portStore()
    let events = Recorder<PreferencesEvent>()
    let observation = PreferencesStore.onEvent { [path] event in
      if event.path == path { events.record(event) }
    }
    let changes = Recorder<PreferencesChange>()
    let observed = store.observe("port") { changes.record($0) }
    store.set(80, forKey: "port")
    #expect(changes.take().count == 1)
    store.set(99_999, forKey: "port")
    store.set(PlistValue.string("x"), forKey: "port")
    store.set(0.5, forKey: "port")
    store.set(Float(0.5), forKey: "port")
    store.set(true, forKey: "port")
    store.set(URL(filePath: "/a"), forKey: "port")
    store.set("x" as Any?, forKey: "port")
    store.setValue("x", forKey: "port")
    store.set(["host": "h", "port": -1] as PlistDictionary)
    store.setPersistentDomain(["port": -1], forName: path)
    store.set("theirs", forKey: "theme")
    #expect(store.plistRepresentation == ["port": 80, "theme": "theirs"])
    #expect(changes.all == [])
    let error = refusal("port", "not a port")
    let expected = [String?](repeating: "port", count: 8) + [nil, nil]
    #expect(
      events.all == expected.map { .refusedChange(domain: path, key: $0, reason: error) })
    #expect(
      events.all.allSatisfy { "\($0)" == "\(path), port: refused by the program: not a port" })
    #expect(events.all.first?.error == error && events.all.first?.isWarning == true)
    #expect(throws: error) { try store.flush() }
    #expect(stored == ["port": 80, "theme": "theirs"])
    try store.flush()
    #expect(store.synchronize())
    store.set(-1, forKey: "port")
    #expect(!store.synchronize())
    observation.cancel()
    observed.cancel()
  }

  @Test("What throws throws at once, changes nothing, and reports nothing")
  func throwing() async throws {
    let store = portStore()
    let error = refusal("port", "not a port")
    #expect("\(error)" == "\(path), port: refused by the program: not a port")
    #expect(error.path == nil)
    #expect(throws: error) { try store.setAny(99_999, forKey: "port") }
    #expect(throws: error) { try store.setAny(["a": 1, "port": 99_999]) }
    #expect(throws: error) { try store.setAnyPersistentDomain(["port": 99_999], forName: path) }
    #expect(throws: error) { try Self.update(store, "port", to: 99_999) }
    await #expect(throws: error) {
      try await store.update { values in
        values["a"] = 1
        values["port"] = 99_999
      }
    }
    let other = folder.path("other.plist")
    try folder.write(Plist.write(["a": 1, "port": 99_999], as: .xml), to: "other.plist")
    #expect(throws: error) { try Self.import(other, into: store) }
    await #expect(throws: error) { try await store.import(from: other) }
    #expect(store.plistRepresentation == [:])
    try Self.flush(store)
    #expect(stored == nil)
    // A wrong type is a programming error, whatever the check says.
    #expect(throws: PreferencesError.nullValue(at: PlistKeyPath(components: ["port"]))) {
      try store.setAny(PlistValue.null, forKey: "port")
    }
  }

  // The functions that block, also for asynchronous tests.
  private static func update(_ store: PreferencesStore, _ key: String, to value: PlistValue?) throws
  {
    try store.update { $0[key] = value }
  }

  private static func `import`(_ path: String, into store: PreferencesStore) throws {
    try store.import(from: path)
  }

  private static func flush(_ store: PreferencesStore) throws { try store.flush() }

  @Test("Removals, registered defaults, arguments, the environment and files are not checked")
  func unchecked() throws {
    try folder.write(Plist.write(["port": 99_999], as: .xml), to: "k.plist")
    let store = portStore { options in
      options.arguments = ["program", "-port", "nine"]
      options.environment = EnvironmentOptions(prefix: "APP_")
      options.environment?.variables = ["APP_PORT": "-2"]
    }
    store.register(defaults: ["port": -3])
    let origins = store.origins(forKey: "port")
    #expect(origins.map(\.value) == ["nine", -2, 99_999, -3])
    store.setVolatileDomain(["port": -4], forName: PreferencesStore.argumentDomain)
    #expect(store.integer(forKey: "port") == -4)
    store.removeObject(forKey: "port")
    try store.flush()
    #expect(stored == [:])
    store.set(80, forKey: "port")
    store.set(nil as Any?, forKey: "port")
    store.set(["a": 1], removing: ["port"])
    try store.update { $0["port"] = nil }
    #expect(stored == ["a": 1])
    store.removeAll()
    try store.flush()
    #expect(stored == [:])
  }

  @Test("Only the keys that an update or an import changes are checked by themselves")
  func unchangedKeys() throws {
    try folder.write(Plist.write(["port": 99_999], as: .xml), to: "k.plist")
    let store = portStore()
    try store.update { $0["theme"] = "dark" }
    #expect(stored == ["port": 99_999, "theme": "dark"])
  }

  // MARK: All values

  @Test("Changes of several keys have to pass the check of all values")
  func several() async throws {
    let store = hostStore()
    let error = refusal(nil, "no host")
    #expect("\(error)" == "\(path): refused by the program: no host")
    #expect(throws: error) { try store.setAny(["port": 1] as [String: Any]) }
    store.set(["port": 1] as PlistDictionary)
    #expect(throws: error) { try Self.flush(store) }
    #expect(throws: error) { try Self.update(store, "port", to: 1) }
    await #expect(throws: error) { try await store.update { $0["port"] = 1 } }
    #expect(store.plistRepresentation == [:])
    try Self.flush(store)
    #expect(stored == nil)

    store.set(["host": "h", "port": 1] as PlistDictionary)
    #expect(throws: error) { try store.setAny(["port": 2], removing: ["host"]) }
    #expect(throws: error) { try Self.update(store, "host", to: nil) }
    store.removeAll()
    store.setPersistentDomain(["port": 3], forName: path)
    #expect(throws: error) { try store.setAnyPersistentDomain(["port": 3], forName: path) }
    try folder.write(Plist.write(["port": 4], as: .xml), to: "other.plist")
    await #expect(throws: error) {
      try await store.import(from: folder.path("other.plist"), replacesAll: true)
    }
    #expect(throws: error) { try Self.flush(store) }
    #expect(store.plistRepresentation == ["host": "h", "port": 1])
    #expect(stored == ["host": "h", "port": 1])
    try await store.import(from: folder.path("other.plist"))
    #expect(stored == ["host": "h", "port": 4])
  }

  @Test("The checks of all stores of the file apply, and those of a store in memory")
  func otherStores() throws {
    let (checked, plain) = (hostStore(), PreferencesStore(fileAt: path))
    #expect(throws: refusal(nil, "no host")) { try plain.update { $0["port"] = 1 } }
    withExtendedLifetime(checked) {}
    let memory = PreferencesStore.inMemory(
      options: options { options in
        options.check = { if $0["host"] == nil { throw Refusal("no host") } }
      })
    #expect(throws: PreferencesError.refusedChange(domain: "InMemory", key: nil, reason: "no host"))
    {
      try memory.update { $0["port"] = 1 }
    }
    #expect(memory.plistRepresentation == [:])
  }

  @Test("An update may repair what a single value has broken")
  func repair() throws {
    let store = hostStore()
    try store.update { $0["host"] = "h" }
    store.removeObject(forKey: "host")
    #expect(throws: refusal(nil, "no host")) { try store.update { $0["port"] = 1 } }
    try store.update { $0["host"] = "i" }
    #expect(stored == ["host": "i"])
  }

  @Test("After a restart there are the values, of which none fails the check")
  func restart() throws {
    do {
      let store = hostStore()
      try store.update { $0["host"] = "h" }
      #expect(throws: PreferencesError.self) { try store.update { $0["host"] = nil } }
      store.set(["port": 1], removing: ["host"])
      #expect(throws: PreferencesError.self) { try store.flush() }
    }
    let store = hostStore()
    #expect(store.problems == [])
    #expect(store.plistRepresentation == ["host": "h"])
    try store.update { $0["port"] = 2 }
    #expect(stored == ["host": "h", "port": 2])
  }

  @Test("A single value is set without the check of all values, however many there are")
  func singleKey() throws {
    let calls = Recorder<Int>()
    let store = PreferencesStore(
      fileAt: path, options: options { $0.check = { calls.record($0.count) } })
    try store.update { values in
      for number in 0..<1000 { values["\(number)"] = .integer(Int64(number)) }
    }
    #expect(calls.take() == [1000])
    for number in 0..<1000 { store.set(number, forKey: "k") }
    store.removeObject(forKey: "k")
    try store.setAny(1, forKey: "k")
    #expect(calls.all == [])
    store.set(["a": 1, "b": 2] as PlistDictionary)
    #expect(calls.all == [1003])
  }

  @Test("Threads that change values at the same time cannot together fail the check")
  func threads() throws {
    let limit: Int64 = 10
    @Sendable func sum(_ values: PlistDictionary) -> Int64 {
      ["a", "b"].reduce(0) { sum, key in
        if case .integer(let number)? = values[key] { sum + number } else { sum }
      }
    }
    let store = PreferencesStore(
      fileAt: path,
      options: options { options in
        options.check = { values in
          // Gives the other thread time to change something.
          sched_yield()
          if sum(values) > limit { throw Refusal("too much") }
        }
      })
    let threads = ["a", "b"].map { key in
      TestThread {
        for round in 0..<2000 {
          try? store.setAny([key: round % 11, "\(key) rounds": round] as [String: Any])
        }
      }
    }
    let reader = TestThread {
      for _ in 0..<2000 { #expect(sum(store.snapshot().plistRepresentation) <= limit) }
    }
    for thread in threads + [reader] { #expect(thread.join()) }
    #expect(sum(store.plistRepresentation) <= limit)
  }

  @Test("An update whose closure throws is not checked")
  func failingUpdate() throws {
    let calls = Recorder<Int>()
    let store = PreferencesStore(
      fileAt: path, options: options { $0.check = { calls.record($0.count) } })
    #expect(throws: Refusal.self) {
      try store.update { values in
        values["k"] = 1
        throw Refusal("changed my mind")
      }
    }
    #expect(calls.all == [])
    #expect(throws: PreferencesError.dateIsNaN(at: PlistKeyPath(components: ["d"]))) {
      try store.update { $0["d"] = .date(Date(timeIntervalSinceReferenceDate: .nan)) }
    }
    #expect(calls.all == [])
  }

  @Test("The checks are released with the store")
  func lifetime() {
    final class Captured: Sendable {}
    weak var captured: Captured?
    do {
      let object = Captured()
      captured = object
      let store = PreferencesStore(
        fileAt: path,
        options: options { options in
          options.check = { _ in withExtendedLifetime(object) {} }
          options.valueCheck = { _, _ in withExtendedLifetime(object) {} }
        })
      #expect(store.string(forKey: "k") == nil)
    }
    #expect(captured == nil)
  }
}
