import Defaults
import Foundation
import Observation
import PropertyList
import TestSupport
import Testing

/// Two notes with the same text are equal; their attachments make their archives differ.
@Suite("Equal objects whose archives differ")
struct EqualArchiveTests {
  private let fixture = KeyFixture()

  private static func note(_ number: Int, _ text: String = "text") -> ArchivedNote {
    ArchivedNote(text, attachment: number)
  }

  private static func archive(_ note: ArchivedNote) throws -> PlistValue {
    .data(try NSKeyedArchiver.archivedData(withRootObject: note, requiringSecureCoding: true))
  }

  /// Checks that setting an equal value changes nothing, and setting another one does.
  private func check<Value: Defaults.Serializable>(
    _ first: Value, _ equal: Value, _ other: Value, default value: Value
  ) {
    let fixture = KeyFixture()
    let key = fixture.key(default: value)
    let events = Recorder<Bool>()
    let observation = Defaults.observe(key, options: []) { events.record($0.isPrior) }
    defer { observation.invalidate() }
    Defaults[key] = first
    let stored = fixture.stored
    #expect(stored != nil)
    #expect(events.all.count == 1)
    Defaults[key] = equal
    #expect(fixture.stored == stored)
    #expect(events.all.count == 1)
    Defaults[key] = other
    #expect(fixture.stored != stored)
    #expect(events.all.count == 2)
    #expect(fixture.failures == [])
  }

  @Test("Setting an equal object keeps the stored bytes and notifies nobody")
  func sets() {
    let (one, two, other) = (Self.note(1), Self.note(2), Self.note(1, "other"))
    check(one, two, other, default: Self.note(0, "default"))
    check(one as ArchivedNote?, two, other, default: nil)
    check([one, one], [two, one], [one, other], default: [])
    check([one, one], [one, two], [one], default: [])
    check(Set([one]), Set([two]), Set([other]), default: [])
    check(["a": one], ["a": two], ["a": other], default: [:])
    check(["a": one], ["a": two], ["b": two], default: [:])
    check([["a": [one]]], [["a": [two]]], [["a": [two, two]]], default: [])
    check([one, nil], [two, nil], [nil, one], default: [])
  }

  @Test("Fifty equal objects with dictionaries are one change")
  func dictionaries() {
    let key = fixture.key(default: ArchivedEntries([:]))
    let events = Recorder<Bool>()
    let observation = Defaults.observe(key, options: []) { events.record($0.isPrior) }
    defer { observation.invalidate() }
    for count in 0..<50 {
      var entries: [String: Int] = [:]
      entries.reserveCapacity(count * 10)
      for number in 0..<20 { entries["key \((number + count) % 20)"] = (number + count) % 20 }
      Defaults[key] = ArchivedEntries(entries)
    }
    #expect(events.all.count == 1)
  }

  @Test("Equal objects of simple members have the same archive")
  func bytes() {
    let stored = (0..<20).map { _ in
      let fixture = KeyFixture()
      Defaults[fixture.key(default: ArchivedNote(""))] = Self.note(1)
      return fixture.stored
    }
    #expect(Set(stored).count == 1)
  }

  @Test("An equal object in another archive, as another process stores it, is no change")
  func otherWriters() async throws {
    let key = fixture.key(default: Self.note(0, "default"))
    let list = fixture.store
    fixture.store.set(try Self.archive(Self.note(1)), forKey: fixture.name)
    let observed = Recorder<String>()
    let observations = [
      Defaults.observe(key, options: [.initial, .prior]) { observed.record($0.newValue.text) },
      Defaults.observe(keys: key, options: [.initial]) { observed.record("any") },
    ]
    defer { for observation in observations { observation.invalidate() } }
    let published = Recorder<String>()
    let subscription = Default(key).projectedValue.sink { published.record($0.text) }
    defer { subscription.cancel() }
    let tracked = Recorder<Bool>()
    withObservationTracking {
      _ = Defaults[key]
    } onChange: {
      tracked.record(true)
    }
    var updates = Defaults.updates(key).makeAsyncIterator()
    var all = Defaults.updates([key], initial: false).makeAsyncIterator()

    list.set(try Self.archive(Self.note(2)), forKey: fixture.name)
    #expect(observed.all == ["text", "any"])
    #expect(published.all == ["text"])
    #expect(tracked.all == [])
    list.set(try Self.archive(Self.note(2, "new")), forKey: fixture.name)
    #expect(observed.all == ["text", "any", "new", "new", "any"])
    #expect(published.all == ["text", "new"])
    #expect(tracked.all == [true])
    #expect(await updates.next()?.text == "text")
    #expect(await updates.next()?.text == "new")
    #expect(await all.next() != nil)
  }

  @Test("A key whose object equals the default has its default")
  func defaults() throws {
    let key = fixture.key(default: Self.note(1))
    #expect(key.isDefaultValue)
    fixture.store.set(try Self.archive(Self.note(2)), forKey: fixture.name)
    #expect(key.isDefaultValue)
    Defaults[key] = Self.note(1, "other")
    #expect(!key.isDefaultValue)
    #expect(Defaults.Key<[ArchivedNote]>("list", default: [Self.note(1)]).isDefaultValue)
    #expect(Defaults.Key<ArchivedNote?>("none").isDefaultValue)
  }
}

/// An object whose archive depends on the order of a dictionary's entries.
final class ArchivedEntries: NSObject, NSSecureCoding, Defaults.Serializable {
  class var supportsSecureCoding: Bool { true }
  let entries: [String: Int]

  init(_ entries: [String: Int]) { self.entries = entries }

  init?(coder: NSCoder) {
    entries = coder.decodeObject(forKey: "entries") as? [String: Int] ?? [:]
  }

  func encode(with coder: NSCoder) {
    coder.encode(entries as NSDictionary, forKey: "entries")
  }

  override func isEqual(_ object: Any?) -> Bool {
    (object as? ArchivedEntries)?.entries == entries
  }
  override var hash: Int { entries.hashValue }
}
