import FoundationEssentials
import PropertyList
import TestSupport
import Testing

@testable import Preferences

@Suite("A store and a dictionary agree after random operations")
struct RandomOperationsTests {
  @Test(
    "A store on a file agrees, and so does a second reader after each step",
    arguments: 0..<8 as Range<UInt64>)
  func files(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let fixture = try StoreFixture()
    var model = PlistDictionary()
    for step in 0..<60 {
      let operation = try Self.apply(fixture.store, &model, using: &generator)
      try #require(fixture.store.user.allValues == model, "step \(step): \(operation)")
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: continue
      case 1: try fixture.store.flush()
      default: #expect(fixture.store.synchronize())
      }
      // A second instance, as in another process.
      let reopened = DomainFile(path: fixture.store.user.path)
      try #require(reopened.allValues == model, "step \(step): \(operation)")
      try #require(reopened.problem == nil)
    }
  }

  @Test("Two processes on a file agree", arguments: 0..<8 as Range<UInt64>)
  func twoProcesses(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let fixture = try StoreFixture()
    let other = DomainFile(path: fixture.store.user.path)
    var model = PlistDictionary()
    for step in 0..<60 {
      if Bool.random(using: &generator) {
        _ = try Self.apply(fixture.store, &model, using: &generator)
        try fixture.store.flush()
        other.refresh()
      } else {
        let (key, value) = (Self.key(using: &generator), Self.value(using: &generator))
        other.set(value, forKey: key)
        try other.save()
        model[key] = value
        fixture.store.synchronize()
      }
      try #require(fixture.store.user.allValues == model, "step \(step)")
      try #require(other.allValues == model, "step \(step)")
    }
  }

  @Test("A store in memory agrees", arguments: 0..<8 as Range<UInt64>)
  func memory(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let store = PreferencesStore.inMemory()
    var model = PlistDictionary()
    for step in 0..<200 {
      let operation = try Self.apply(store, &model, using: &generator)
      try #require(store.user.allValues == model, "step \(step): \(operation)")
      if Bool.random(using: &generator) { try store.flush() }
      try #require(store.plistRepresentation == model, "step \(step): \(operation)")
    }
  }

  /// Applies a random operation to a store and to a model of it.
  ///
  /// - Returns: What the operation was.
  private static func apply(
    _ store: PreferencesStore, _ model: inout PlistDictionary,
    using generator: inout SeededGenerator
  ) throws -> String {
    struct Failure: Error {}
    let key = key(using: &generator)
    let value = value(using: &generator)
    switch Int.random(in: 0..<20, using: &generator) {
    case 0..<8:
      store.set(value, forKey: key)
      model[key] = value
      return "set \(key)"
    case 8..<12:
      store.removeObject(forKey: key)
      model[key] = nil
      return "remove \(key)"
    case 12..<15:
      try store.update { values in
        values[key] = value
        values[key + "!"] = nil
      }
      model[key] = value
      model[key + "!"] = nil
      return "update \(key)"
    case 15:
      _ = try? store.update { values in
        values[key] = value
        throw Failure()
      }
      return "failing update"
    case 16:
      store.removeAll()
      model = PlistDictionary()
      return "remove all"
    case 17:
      store.setPersistentDomain([key: value, "other": 1], forName: store.domain)
      model = [key: value, "other": 1]
      return "replace all"
    case 18:
      store.removePersistentDomain(forName: store.domain)
      model = PlistDictionary()
      return "remove the domain"
    default:
      // Setting an equal value is not a change.
      if let old = model[key] { store.set(old, forKey: key) }
      return "set again \(key)"
    }
  }

  private static func key(using generator: inout SeededGenerator) -> String {
    ["a", "b", "c", "\u{E9}", "e\u{301}", "", "a.b", "a!"].randomElement(using: &generator)!
  }

  private static func value(using generator: inout SeededGenerator) -> PlistValue {
    let number = Int64.random(in: -3...3, using: &generator)
    let values: [PlistValue] = [
      .integer(number), .real(Double(number) / 2), .boolean(number > 0), .string("text \(number)"),
      .string("\u{FFFF}\(number)"), .date(Date(timeIntervalSinceReferenceDate: Double(number) / 2)),
      .data(Data(repeating: 1, count: Int(number + 3))), .array([.integer(number), "x"]),
      ["k": .integer(number), "CF$UID": 1], ["CF$UID": .integer(number)], .unsignedInteger(.max),
      .uid(UInt32(number + 3)),
    ]
    return values.randomElement(using: &generator)!
  }
}
