import Foundation
import PropertyList
import TestSupport
import Testing

@testable import Preferences

@Suite("Values of one type")
struct TypedValueTests {
  private enum Level: String, PlistValueReadable { case low, high }
  private enum Side: Int, CaseIterable, PlistValueReadable { case left = 1, right }

  private let store = PreferencesStore.inMemory()

  private func expect<Value: PlistValueReadable & Equatable>(
    _ value: Value, for stored: PlistValue, location: SourceLocation = #_sourceLocation
  ) throws {
    store.set(stored, forKey: "k")
    #expect(
      try store.value(Value.self, forKey: "k") == value, sourceLocation: location)
  }

  @Test("A value of the type is returned")
  func values() throws {
    try expect(true, for: true)
    try expect(5, for: 5)
    try expect(Int8(-128), for: -128)
    try expect(UInt64.max, for: .unsignedInteger(.max))
    try expect(1.5, for: 1.5)
    try expect(2.0, for: 2)
    try expect(Float(1.5), for: .float(1.5))
    try expect(Float(3), for: 3)
    try expect("text", for: "text")
    try expect(Data([1]), for: .data(Data([1])))
    try expect(Date(timeIntervalSince1970: 5), for: .date(Date(timeIntervalSince1970: 5)))
    try expect(URL(filePath: "/a"), for: "/a")
    try expect(["a", "b"], for: ["a", "b"])
    try expect([1, "a"] as [PlistValue], for: [1, "a"])
    try expect(["a": 1] as PlistDictionary, for: ["a": 1])
    try expect(["a": 1] as [String: Int], for: ["a": 1])
    try expect([["a": [1]]] as [[String: [Int]]], for: [["a": [1]]])
    try expect(Level.high, for: "high")
  }

  @Test("A missing value is an error, or nil")
  func missing() throws {
    store.removeObject(forKey: "k")
    #expect(try store.valueIfPresent(Int.self, forKey: "k") == nil)
    #expect(throws: PreferencesError.missingValue(key: "k", domain: "InMemory")) {
      try store.value(Int.self, forKey: "k")
    }
  }

  private func expectWrong<Value: PlistValueReadable>(
    _ type: Value.Type, _ stored: PlistValue, _ text: String,
    location: SourceLocation = #_sourceLocation
  ) {
    store.set(stored, forKey: "k")
    let error = #expect(throws: PreferencesError.self, sourceLocation: location) {
      try store.value(type, forKey: "k")
    }
    #expect("\(error!)" == "InMemory, k: \(text)", sourceLocation: location)
    #expect(throws: error!, sourceLocation: location) {
      try store.valueIfPresent(type, forKey: "k")
    }
  }

  @Test("A value of another type is an error that names both")
  func otherTypes() {
    expectWrong(Int.self, "5", "expected an integer, found a string")
    expectWrong(Int.self, 5.0, "expected an integer, found a real")
    expectWrong(Int.self, true, "expected an integer, found a boolean")
    expectWrong(UInt8.self, 256, "expected an integer from 0 to 255, found one out of this range")
    expectWrong(
      UInt.self, -1,
      "expected an integer from 0 to 18446744073709551615, found one out of this range")
    expectWrong(Bool.self, 1, "expected a boolean, found an integer")
    expectWrong(Double.self, "1", "expected a number, found a string")
    expectWrong(String.self, 1, "expected a string, found an integer")
    expectWrong(Data.self, "AA==", "expected data, found a string")
    expectWrong(Date.self, 1, "expected a date, found an integer")
    expectWrong(URL.self, 1, "expected a URL, found an integer")
    expectWrong(
      [String].self, ["a", 1], "expected an array in which each element is a string, found an array"
    )
    expectWrong(PlistDictionary.self, [1], "expected a dictionary, found an array")
    expectWrong(Side.self, 3, "expected a raw value of Side (1, 2), found an integer")
    expectWrong(Level.self, "middle", "expected a raw value of Level, found a string")
    #expect(store.integer(forKey: "k") == 0)
  }

  /// A store with variables of the environment, the registered default 80 of `db.port`, and a file
  /// without values.
  private func configured(
    _ variables: [String: String], arguments: [String] = [], readsKeyPaths: Bool = false,
    in folder: TemporaryFolder
  ) -> PreferencesStore {
    var options = PreferencesStore.Options()
    options.usesPrivateRegistrationDomain = true
    options.argumentsAfterName = arguments
    options.environment = EnvironmentOptions(prefix: "APP_")
    options.environment?.variables = variables
    options.readsKeyPaths = readsKeyPaths
    let store = PreferencesStore(fileAt: folder.file, options: options)
    store.register(defaults: ["db.port": 80, "ratio": 0.5])
    return store
  }

  @Test("A variable of the wrong type or out of range is named, and validation finds it at once")
  func wrongVariables() throws {
    let folder = try TemporaryFolder()
    let place = "the environment variable APP_DB_PORT, db.port: "
    let store = configured(["APP_DB_PORT": "eighty"], in: folder)
    #expect(store.integer(forKey: "db.port") == 80)
    #expect(
      errorText { _ = try store.value(UInt16.self, forKey: "db.port") }
        == place + "expected an integer from 0 to 65535, found a string")
    #expect(errorText { try store.validate() } == place + "expected an integer, found a string")
    // A layer that is searched earlier hides it.
    let other = configured(
      ["APP_DB_PORT": "eighty"], arguments: ["-db.port", "8080"], in: folder)
    #expect(try other.value(UInt16.self, forKey: "db.port") == 8080)
    let large = configured(["APP_DB_PORT": "99999"], in: folder)
    #expect(
      errorText { _ = try large.value(UInt16.self, forKey: "db.port") }
        == place + "expected an integer from 0 to 65535, found one out of this range")
    try large.validate()
  }

  @Test("Validation checks the command line and the files")
  func validation() throws {
    let folder = try TemporaryFolder()
    try configured([:], arguments: ["-db.port", "1", "-ratio", "2"], in: folder).validate()
    #expect(
      errorText { try configured([:], arguments: ["-db.port", "x"], in: folder).validate() }
        == "the command line, db.port: expected an integer, found a string")
    try PreferencesStore(fileAt: folder.file).update { $0 = ["ratio": 1, "other": "x"] }
    try configured([:], in: folder).validate()
    try PreferencesStore(fileAt: folder.file).update { $0 = ["db.port": "x"] }
    #expect(
      errorText { try configured([:], in: folder).validate() }
        == "\(folder.file), db.port: expected an integer, found a string")
    let damaged = try TemporaryFolder()
    try damaged.write("not preferences", to: "test.plist")
    let store = configured([:], in: damaged)
    #expect(errorText { try store.validate() } == store.problems.first?.description)
  }

  @Test("Typed values are found by key path, layer by layer")
  func keyPaths() throws {
    let folder = try TemporaryFolder()
    try PreferencesStore(fileAt: folder.file).update {
      $0 = ["db": ["port": 443, "pool": ["size": 8]], "a.b": ["c": true]]
    }
    #expect(try configured([:], in: folder).value(Int.self, forKey: "db.port") == 80)
    let store = configured([:], readsKeyPaths: true, in: folder)
    #expect(try store.value(Int.self, forKey: "db.port") == 443)
    #expect(try store.value(Int.self, forKey: "db.pool.size") == 8)
    #expect(try store.valueIfPresent(Int.self, forKey: "db.none") == nil)
    #expect(
      errorText { _ = try store.value(Int.self, forKey: "db.pool") }
        == "\(folder.file), db.pool: expected an integer, found a dictionary")
    // A value of the whole key takes precedence.
    store.set(["db.port": 1])
    #expect(try store.value(Int.self, forKey: "db.port") == 1)
    let environment = configured(["APP_DB_PORT": "2"], readsKeyPaths: true, in: folder)
    #expect(try environment.value(Int.self, forKey: "db.port") == 2)
    try store.flush()
  }

  @Test("An origin prints the layer, what supplies it, and the value with its type")
  func origins() throws {
    let folder = try TemporaryFolder()
    try PreferencesStore(fileAt: folder.file).update { $0 = ["db.port": ["1", 1, 1.0, true]] }
    let store = configured(["APP_DB_PORT": "99"], arguments: ["-db.port", "x"], in: folder)
    let texts = [
      #"argument -db.port: "x""#, "environment APP_DB_PORT: 99",
      #"user \#(folder.file): ["1", 1, 1.0, true]"#, "registration: 80",
    ]
    #expect(store.origins(forKey: "db.port").map(\.description) == texts)
    #expect(store.snapshot().origins(forKey: "db.port").map(\.description) == texts)
    #expect(store.origin(forKey: "db.port")?.description == texts[0])
  }

  @Test("The command line and the environment are text, which is read as any type")
  func text() throws {
    let folder = try TemporaryFolder()
    var options = PreferencesStore.Options()
    options.usesPrivateRegistrationDomain = true
    options.arguments = ["program", "-port", "80", "-on", "yes", "-list", "(1, 2)", "-bad", "x"]
    options.environment = EnvironmentOptions(prefix: "APP_")
    options.environment?.variables = [
      "APP_RATIO": "0.5", "APP_DAY": "2001-01-01", "APP_WORSE": "y",
    ]
    let store = PreferencesStore(fileAt: folder.file, options: options)
    #expect(try store.value(UInt16.self, forKey: "port") == 80)
    #expect(try store.value(String.self, forKey: "port") == "80")
    #expect(try store.value(Bool.self, forKey: "on"))
    #expect(try store.value([Int].self, forKey: "list") == [1, 2])
    #expect(try store.value(Double.self, forKey: "ratio") == 0.5)
    #expect(try store.value(Date.self, forKey: "day") == Date(timeIntervalSinceReferenceDate: 0))
    func text(_ key: String) -> String {
      do { return "\(try store.value(Int.self, forKey: key))" } catch { return "\(error)" }
    }
    #expect(text("bad") == "the command line, bad: expected an integer, found a string")
    #expect(
      text("worse")
        == "the environment variable APP_WORSE, worse: expected an integer, found a string")
    store.set("5", forKey: "stored")
    #expect(text("stored") == "\(folder.file), stored: expected an integer, found a string")
    store.register(defaults: ["registered": "5"])
    #expect(
      text("registered")
        == "the registered defaults, registered: expected an integer, found a string")
    #expect(text("none") == "\(folder.file), none: there is no value")
    #expect(store.origin(forKey: "port")?.value(as: UInt16.self) == 80)
    #expect(store.snapshot().origins(forKey: "ratio").first?.value(as: Double.self) == 0.5)
    #expect(store.origin(forKey: "bad")?.value(as: Int.self) == nil)
    #expect(store.origin(forKey: "stored")?.value(as: Int.self) == nil)
    #expect(store.origin(forKey: "stored")?.value(as: String.self) == "5")
    #expect(store.origin(forKey: "registered")?.value(as: Int.self) == nil)
    try store.flush()
  }
}

extension TemporaryFolder {
  fileprivate var file: String { path("test.plist") }
}
