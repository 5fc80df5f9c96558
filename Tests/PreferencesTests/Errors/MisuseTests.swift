import Foundation
import PropertyList
import TestSupport
import Testing

@testable import Preferences

/// Programming errors.
enum Misuse: String, CaseIterable, Codable, Sendable {
  case null, nestedNull, set, foreignType, nestedType, otherKeys, dateIsNaN, nestedDate, tooDeep
  case untypedTooDeep, convertible, none, group, register, registerValues, volatile, persistent

  private struct Photo {}

  private struct Never: PlistValueConvertible {
    var plistValue: PlistValue? { nil }
  }

  private static let deepValue = (0..<512).reduce(PlistValue.integer(1)) { value, _ in
    .array([value])
  }
  private static var deepArray: Any {
    (0..<512).reduce(1 as Any) { value, _ in [value] as [Any] }
  }

  func commit(in store: PreferencesStore) {
    let notANumber = Date(timeIntervalSinceReferenceDate: .nan)
    switch self {
    case .null: store.set(PlistValue.null, forKey: "theme")
    case .nestedNull: store.set(["colors": ["red", .null]] as PlistValue, forKey: "theme")
    case .set: store.set(PlistValue.set([1]), forKey: "theme")
    case .foreignType: store.set(Photo(), forKey: "theme")
    case .nestedType: store.set([["photo": 1], ["photo": Photo()]] as [[String: Any]], forKey: "k")
    case .otherKeys: store.set(["sizes": [1: "one"]] as [String: Any], forKey: "theme")
    case .dateIsNaN: store.set(notANumber, forKey: "start")
    case .nestedDate: store.set(["dates": [notANumber]], forKey: "start")
    case .tooDeep: store.set(Self.deepValue, forKey: "tree")
    case .untypedTooDeep: store.set(Self.deepArray, forKey: "tree")
    case .convertible: store.set(Never(), forKey: "never")
    case .none: store.set(["size": Int?.none as Any] as [String: Any], forKey: "theme")
    case .group: store.set(["a": 1, "b": ["c": .null]])
    case .register: store.register(defaults: ["a": 1, "b": ["c": Character("x")]])
    case .registerValues: store.register(defaults: ["a": .null] as PlistDictionary)
    case .volatile: store.setVolatileDomain(["a": [Photo()]], forName: "memory")
    case .persistent: store.setPersistentDomain(["a": ["b": Set([1])]], forName: "other")
    }
  }

  /// Does the same with the throwing variant.
  func attempt(in store: PreferencesStore) throws(PreferencesError) {
    let notANumber = Date(timeIntervalSinceReferenceDate: .nan)
    switch self {
    case .null: try store.setAny(PlistValue.null, forKey: "theme")
    case .nestedNull: try store.setAny(["colors": ["red", .null]] as PlistValue, forKey: "theme")
    case .set: try store.setAny(PlistValue.set([1]), forKey: "theme")
    case .foreignType: try store.setAny(Photo(), forKey: "theme")
    case .nestedType:
      try store.setAny([["photo": 1], ["photo": Photo()]] as [[String: Any]], forKey: "k")
    case .otherKeys: try store.setAny(["sizes": [1: "one"]] as [String: Any], forKey: "theme")
    case .dateIsNaN: try store.setAny(notANumber, forKey: "start")
    case .nestedDate: try store.setAny(["dates": [notANumber]], forKey: "start")
    case .tooDeep: try store.setAny(Self.deepValue, forKey: "tree")
    case .untypedTooDeep: try store.setAny(Self.deepArray, forKey: "tree")
    case .convertible: try store.setAny(Never(), forKey: "never")
    case .none: try store.setAny(["size": Int?.none as Any] as [String: Any], forKey: "theme")
    case .group: try store.setAny(["a": 1, "b": ["c": PlistValue.null]])
    case .register: try store.registerAny(defaults: ["a": 1, "b": ["c": Character("x")]])
    case .registerValues: try store.registerAny(defaults: ["a": PlistValue.null])
    case .volatile: try store.setAnyVolatileDomain(["a": [Photo()]], forName: "memory")
    case .persistent: try store.setAnyPersistentDomain(["a": ["b": Set([1])]], forName: "other")
    }
  }

  /// The text of the error, and what the message of the program adds to it.
  var text: (error: String, context: String) {
    let stored = "cannot be stored in preferences"
    let remedy = "store it as data or a string, or conform its type to PlistValueConvertible"
    let deep = "a value \(stored): containers are nested deeper than 512 levels"
    let date = "a date that is not a number (NaN) \(stored)"
    let null = "null \(stored); leave it out"
    return switch self {
    case .null: ("theme: \(null)", " (in a value of type PlistValue)")
    case .nestedNull: ("theme.colors.1: \(null)", " (in a value of type PlistValue)")
    case .set: ("theme: a value of type set \(stored); \(remedy)", "")
    case .foreignType: ("theme: a value of type Photo \(stored); \(remedy)", "")
    case .nestedType:
      (
        "k.1.photo: a value of type Photo \(stored); \(remedy)",
        " (in a value of type Array<Dictionary<String, Any>>)"
      )
    case .otherKeys:
      (
        "theme.sizes: a value of type Dictionary<Int, String> \(stored); its keys must be strings",
        " (in a value of type Dictionary<String, Any>)"
      )
    case .dateIsNaN: ("start: \(date)", " (in a value of type Date)")
    case .nestedDate:
      ("start.dates.0: \(date)", " (in a value of type Dictionary<String, Array<Date>>)")
    case .tooDeep: ("tree: \(deep)", " (in a value of type PlistValue)")
    case .untypedTooDeep: ("tree: \(deep)", " (in a value of type Array<Any>)")
    case .convertible: ("never: a value of type Never \(stored); \(remedy)", "")
    case .none: ("theme.size: \(null)", " (in a value of type Dictionary<String, Any>)")
    case .group: ("b.c: \(null)", " (in a value of type PlistValue)")
    case .register:
      (
        "b.c: a value of type Character \(stored); \(remedy)",
        " (in a value of type Dictionary<String, Character>)"
      )
    case .registerValues: ("a: \(null)", " (in a value of type PlistValue)")
    case .volatile:
      ("a.0: a value of type Photo \(stored); \(remedy)", " (in a value of type Array<Photo>)")
    case .persistent:
      (
        "a.b: a value of type Set<Int> \(stored); \(remedy)",
        " (in a value of type Dictionary<String, Set<Int>>)"
      )
    }
  }
}

@Suite("Programming errors", .timeLimit(.minutes(5)))
struct MisuseTests {
  /// What a process printed to standard error, without the backtrace that the runtime adds in debug
  /// builds.
  private static func text(_ output: [UInt8]) -> String {
    String(decoding: output, as: UTF8.self)
      .replacing(#/\nCurrent stack trace:\n(.|\n)*$/#, with: "\n")
  }

  @Test("end the process with words that name key, place and type", arguments: Misuse.allCases)
  func message(misuse: Misuse) async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [misuse] in
      // Without the backtrace.
      signal(SIGILL, SIG_DFL)
      signal(SIGTRAP, SIG_DFL)
      misuse.commit(in: .inMemory())
    }
    #expect(
      Self.text(result.standardErrorContent)
        .replacing(#/^Preferences/ProgrammingError\.swift:[0-9]+: /#, with: "")
        == "Fatal error: \(misuse.text.error)\(misuse.text.context)\n")
  }

  @Test("are thrown by a variant of each call, and change nothing", arguments: Misuse.allCases)
  func error(misuse: Misuse) throws {
    let store = PreferencesStore.inMemory()
    store.set(["theme": 1, "a": 1])
    let old = store.plistRepresentation
    let error = #expect(throws: PreferencesError.self) { try misuse.attempt(in: store) }
    #expect(error.map { "\($0)" } == misuse.text.error)
    #expect(store.plistRepresentation == old)
    #expect(store.volatileDomain(forName: "memory").isEmpty)
    #expect(store.persistentDomain(forName: "other") == nil)
  }

  @Test("The variants that throw set what is right")
  func success() throws {
    let store = PreferencesStore.inMemory()
    try store.registerAny(defaults: ["a": 1, "b": [true]])
    try store.setAnyVolatileDomain(["v": 1.5], forName: "memory")
    try store.setAnyPersistentDomain(["p": "x"], forName: "other")
    try store.setAnyPersistentDomain(["own": "y"], forName: store.domain)
    #expect(store.plistRepresentation == ["a": 1, "b": [true], "own": "y"])
    #expect(store.volatileDomain(forName: "memory") as? [String: Double] == ["v": 1.5])
    #expect(store.persistentDomain(forName: "other") as? [String: String] == ["p": "x"])
    #expect(throws: PreferencesError.invalidDomainName("a/b")) {
      try store.setAnyPersistentDomain([:], forName: "a/b")
    }
  }

  @Test("A name of the application that comes too late ends a program that does not catch it")
  func lateApplication() async throws {
    let folder = try TemporaryFolder()
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [path = folder.path as String] in
      setenv("XDG_CONFIG_HOME", path, 1)
      signal(SIGILL, SIG_DFL)
      signal(SIGTRAP, SIG_DFL)
      try! PreferencesStore.setApplication(identifier: "org.example.first")
      _ = PreferencesStore.standard
      try! PreferencesStore.setApplication(identifier: "org.example.late")
    }
    #expect(
      Self.text(result.standardErrorContent).replacing(#/^.*: Fatal error: /#, with: "")
        == "'try!' expression unexpectedly raised an error: cannot name the application's domain \"org.example.late\": its preferences are already in use as \"org.example.first\"; call setApplication(identifier:) earlier\n"
    )
  }

  @Test("An update or a save within an update of the same preferences says so")
  func withinUpdate() throws {
    let fixture = try StoreFixture()
    for store in [fixture.store, .inMemory()] {
      let place = store.user.path.map { $0 + ": " } ?? ""
      try store.update { values in
        values["k"] = 1
        for attempt in [
          { try store.update { $0["k"] = 2 } }, { try store.flush() },
          { try store.update(timeout: .seconds(60)) { $0 = [:] } },
        ] as [() throws -> Void] {
          let error = #expect(throws: PreferencesError.self) { try attempt() }
          #expect(
            error.map { "\($0)" }
              == place
              + "preferences cannot be updated or saved within their own update; nothing was saved"
          )
        }
      }
      #expect(store.plistRepresentation == ["k": 1])
    }
  }
}
