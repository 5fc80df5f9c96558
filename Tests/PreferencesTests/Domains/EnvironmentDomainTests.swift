import Foundation
import PropertyList
import TestSupport
import Testing

@testable import Preferences

@Suite("Variables of the environment")
struct EnvironmentDomainTests {
  private let fixture: StoreFixture

  init() throws {
    fixture = try StoreFixture()
  }

  private func store(
    _ variables: [String: String], prefix: String = "APP_",
    naming: EnvironmentOptions.Naming = .upperSnakeCase, arguments: [String] = []
  ) throws -> PreferencesStore {
    var options = PreferencesStore.Options()
    options.locations = fixture.locations
    options.arguments = ["program"] + arguments
    options.usesPrivateRegistrationDomain = true
    var environment = EnvironmentOptions(prefix: prefix)
    environment.variables = variables
    environment.naming = naming
    options.environment = environment
    return try PreferencesStore(domain: StoreFixture.domain, options: options)
  }

  @Test(
    "The name of a variable is made of the words of its key",
    arguments: [
      ("port", "APP_PORT"), ("listen.port", "APP_LISTEN_PORT"), ("listen-port", "APP_LISTEN_PORT"),
      ("maxSize", "APP_MAX_SIZE"), ("HTTPProxy", "APP_HTTP_PROXY"), ("useHTTP", "APP_USE_HTTP"),
      ("listen.maxSize2Use", "APP_LISTEN_MAX_SIZE2_USE"), ("LISTEN_PORT", "APP_LISTEN_PORT"),
      ("größe", "APP_GRÖSSE"), ("", "APP_"), ("a b", "APP_A_B"),
    ])
  func names(key: String, name: String) {
    #expect(EnvironmentOptions(prefix: "APP_").variable(forKey: key) == name)
  }

  @Test("A rule of the program can make the names, or refuse to")
  func customNames() throws {
    let store = try store(
      ["x-port": "1", "x-": "2"], prefix: "x-",
      naming: .custom { $0 == "none" ? nil : String($0.dropFirst()) })
    #expect(store.string(forKey: "_port") == "1")
    #expect(store.string(forKey: "none") == nil)
    #expect(store.string(forKey: "=port") == "1")
    #expect(store.string(forKey: "-a=b") == nil)
  }

  @Test(
    "A text is read as the type of the registered default",
    arguments: [
      (1, "-5", -5), (1, "18446744073709551615", .unsignedInteger(.max)), (1, "x", nil),
      (1, "1.5", nil), (1, "", nil), (1, " 1", nil), (1.5, "2", 2.0), (1.5, "-2.5e3", -2500.0),
      (1.5, "2,5", nil), (1.5, "nan", nil), (1.5, "1e999", nil), (1, "0x2A", nil),
      (true, "off", false), (true, "YES", true),
      (true, "0", false), (true, "2", nil), ("a", "1", "1"), ("a", "", ""),
      (
        .date(Date(timeIntervalSinceReferenceDate: 0)), "2001-01-01T00:01:00Z",
        .date(Date(timeIntervalSinceReferenceDate: 60))
      ),
      (.date(Date()), "soon", nil), (.data(Data()), "AQI=", .data(Data([1, 2]))),
      (.data(Data()), "?", nil), (["a"], "(b, c)", ["b", "c"]), (["a"], "[1]", [1]),
      (["a"], "b", nil), (["a"], "{b = 1;}", nil), (["a": 1], "{b = c;}", ["b": "c"]),
      (["a": 1], #"{"b": [true]}"#, ["b": [true]]), (["a": 1], #"{"b": null}"#, nil),
    ] as [(PlistValue, String, PlistValue?)])
  func types(registered: PlistValue, text: String, value: PlistValue?) throws {
    let store = try store(["APP_K": text])
    store.register(defaults: ["k": registered])
    #expect(store.plistValue(forKey: "k") == value ?? registered)
    #expect(store.origin(forKey: "k")?.layer.kind == (value == nil ? .registration : .environment))
  }

  @Test("Without a registered default, a text is a string, until there is one")
  func laterDefaults() throws {
    let store = try store(["APP_A": "1", "APP_B": "x"])
    #expect(store.plistValue(forKey: "a") == "1")
    #expect(store.plistValue(forKey: "b") == "x")
    let changes = Recorder<PreferencesChange>()
    let observation = store.observe(["a", "b", "c"]) { changes.record($0) }
    store.register(defaults: ["a": 2, "b": 3] as PlistDictionary)
    #expect(store.plistValue(forKey: "a") == 1)
    #expect(store.plistValue(forKey: "b") == 3)
    store.removeVolatileDomain(forName: PreferencesStore.registrationDomain)
    #expect(store.plistValue(forKey: "a") == "1")
    #expect(store.plistValue(forKey: "b") == "x")
    // Each change begins with the last value of the one before.
    for key in ["a", "b"] {
      var last: PlistValue? = key == "a" ? "1" : "x"
      for change in changes.all where change.key == key {
        #expect(change.oldValue == last)
        last = change.newValue
      }
      #expect(last == (key == "a" ? "1" : "x"))
    }
    observation.cancel()
  }

  @Test("Defaults that were registered before a store is opened count")
  func earlierDefaults() throws {
    var options = PreferencesStore.Options()
    options.arguments = []
    options.environment = EnvironmentOptions(prefix: "")
    options.environment?.variables = ["EARLIER_DEFAULT_OF_ENVIRONMENT": "7"]
    let key = "earlierDefaultOfEnvironment"
    let first = PreferencesStore(fileAt: fixture.path("a.plist"), options: options)
    first.register(defaults: [key: 1])
    let second = PreferencesStore(fileAt: fixture.path("b.plist"), options: options)
    #expect(first.plistValue(forKey: key) == 7)
    #expect(second.plistValue(forKey: key) == 7)
  }

  @Test("A variable counts after the command line and before the user's file")
  func order() throws {
    let store = try store(
      ["APP_A": "variable", "APP_B": "variable"], arguments: ["-a", "argument"])
    store.set("file", forKey: "a")
    store.set("file", forKey: "b")
    store.set("file", forKey: "c")
    #expect(store.string(forKey: "a") == "argument")
    #expect(store.string(forKey: "b") == "variable")
    #expect(store.string(forKey: "c") == "file")
    #expect(
      store.origins(forKey: "a").map(\.layer.kind) == [.argument, .environment, .user])
    #expect(store.origins(forKey: "b").first?.layer.domain == PreferencesStore.environmentDomain)
    #expect(store.plistRepresentation["b"] == "variable")
    #expect(store.containsValue(forKey: "b"))
  }

  @Test("The layers have every key that they are asked for, in any order")
  func representation() throws {
    let store = try store(["APP_B": "variable"])
    store.set("file", forKey: "b")
    #expect(store.plistRepresentation == ["b": "variable"])
    store.addSuite(named: "suite")
    #expect(store.string(forKey: "b") == "variable")
    let observed = try self.store(["APP_B": "variable"])
    let changes = Recorder<PreferencesChange>()
    let observation = observed.observe("b", initial: true) { changes.record($0) }
    observed.set("other", forKey: "b")
    #expect(changes.all.map(\.newValue) == ["variable"])
    observation.cancel()
  }

  @Test("A snapshot has the variables of keys that were not asked for before")
  func snapshot() throws {
    let store = try store(["APP_A": "1", "APP_B": "2"], arguments: ["-b", "argument"])
    store.set("file", forKey: "a")
    store.set("file", forKey: "c")
    let snapshot = store.snapshot()
    #expect(snapshot.string(forKey: "a") == "1")
    #expect(snapshot.string(forKey: "b") == "argument")
    #expect(snapshot.string(forKey: "c") == "file")
    #expect(snapshot.origins(forKey: "a").map(\.layer.kind) == [.environment, .user])
    let group = Recorder<PlistValue?>()
    let observation = store.observeGroup(["a", "c"]) { change in
      group.record(change.newValues.plistValue(forKey: "a"))
    }
    store.set(["a": "x", "c": "y"] as PlistDictionary)
    #expect(group.all == ["1"])
    observation.cancel()
  }

  @Test("A text of another type is reported once, without the text")
  func failure() throws {
    let events = Recorder<PreferencesEvent>()
    let observation = PreferencesStore.onEvent { event in
      if case .valueFailure(StoreFixture.domain, "k.secret", _) = event { events.record(event) }
    }
    let store = try store(["APP_K_SECRET": "hidden"])
    for value in 1...3 as ClosedRange<Int64> {
      store.register(defaults: ["k.secret": .integer(value)] as PlistDictionary)
      #expect(store.integer(forKey: "k.secret") == Int(value))
    }
    #expect(
      events.all.map { "\($0)" } == [
        "org.example.app, k.secret: the environment variable APP_K_SECRET is ignored: expected an integer"
      ])
    observation.cancel()
  }

  @Test("Any number of keys without variables can be asked for")
  func manyKeys() throws {
    let store = try store(["APP_A": "1"])
    #expect(store.string(forKey: "a") == "1")
    for number in 0..<10_050 { #expect(store.string(forKey: "k\(number)") == nil) }
    #expect(store.string(forKey: "a") == "1")
    store.set("x", forKey: "k1")
    #expect(store.string(forKey: "k1") == "x")
  }

  @Test("The variables of the process are those of its environment")
  func process() throws {
    let name = "LARDER_TEST_VARIABLE_\(UInt32.random(in: 0...(.max)))"
    var options = PreferencesStore.Options()
    options.arguments = []
    options.environment = EnvironmentOptions(prefix: "LARDER_TEST_")
    setenv(name, "text", 1)
    defer { unsetenv(name) }
    let store = PreferencesStore(fileAt: fixture.path("p.plist"), options: options)
    let key = String(name.dropFirst("LARDER_TEST_".count).lowercased())
    #expect(store.string(forKey: key) == "text")
  }
}
