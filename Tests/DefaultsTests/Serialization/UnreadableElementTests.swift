import Defaults
import Foundation
import PropertyList
import TestSupport
import Testing

/// The elements that can be read are read, the others are reported, and every write keeps them.
@Suite("Collections with elements that cannot be read")
struct UnreadableElementTests {
  enum Letter: String, Hashable, Defaults.Serializable {
    case a, b, c, d
  }

  struct Site: Codable, Hashable, Defaults.Serializable {
    var name: String
    var port: Int
  }

  // MARK: Reading

  @Test("The readable elements are read, and each of the others is reported once, with its place")
  func read() {
    let fixture = KeyFixture(stored: ["a", "x", "b", 7])
    let key = fixture.key(default: [Letter.d])
    #expect(Defaults[key] == [.a, .b])
    #expect(Defaults[fixture.key(default: [Letter.d])] == [.a, .b])
    #expect(
      fixture.reports == [
        "cannot be read: expected a raw value of Letter (at 1)",
        "cannot be read: expected a string, found an integer (at 3)",
      ])
    #expect(fixture.stored == ["a", "x", "b", 7])
    #expect(throws: Defaults.Failure.self) { try key.load() }
  }

  @Test("A collection of which nothing can be read is the default, and stays")
  func nothing() {
    let fixture = KeyFixture(stored: ["x", "y"])
    let key = fixture.key(default: [Letter.d])
    #expect(Defaults[key] == [.d])
    Defaults[key].append(.a)
    #expect(Defaults[key] == [.d, .a])
    #expect(fixture.stored == ["x", "y", "d", "a"])
  }

  @Test("Elements that a write keeps are not reported again")
  func reportedOnce() {
    let fixture = KeyFixture(stored: ["a", "x"])
    let key = fixture.key(default: [Letter]())
    for letter in [Letter.b, .c, .d] {
      Defaults[key].append(letter)
      #expect(Defaults[key].last == letter)
    }
    #expect(fixture.reports == ["cannot be read: expected a raw value of Letter (at 1)"])
    fixture.store.set(["a", "y"], forKey: fixture.name)
    #expect(Defaults[key] == [.a])
    #expect(fixture.reports.count == 2)
  }

  // MARK: Writing arrays

  /// What is stored, what is set, and what is stored then.
  static let arrays: [(PlistValue, [Letter], PlistValue)] = [
    (["a", "x", "b"], [.a, .b, .c], ["a", "x", "b", "c"]),
    (["a", "x", "b"], [.c, .a, .b], ["c", "a", "x", "b"]),
    (["a", "x", "b"], [.b, .a], ["b", "a", "x"]),
    (["a", "x", "b"], [.c, .b], ["c", "x", "b"]),
    (["a", "x", "b"], [.b], ["x", "b"]),
    (["a", "x", "b"], [.a], ["a", "x"]),
    (["x", "a", "y"], [.a], ["x", "a", "y"]),
    (["x", "y", "a"], [.b, .a], ["x", "y", "b", "a"]),
    (["a", "b", "x", "y", "c"], [.a, .c], ["a", "x", "y", "c"]),
    (["a", "x", "a", "y"], [.a, .a], ["a", "x", "a", "y"]),
    (["a", "x", "a", "y"], [.a], ["a", "x", "y"]),
    (["a", 7, ["k": "v"]], [.a, .b], ["a", 7, ["k": "v"], "b"]),
    (["a", "x", "b"], [], []),
    (["a", "b"], [.b], ["b"]),
    ("x", [.a], ["a"]),
    (.string(#"["a","x","b"]"#), [.a, .b, .c], ["a", "x", "b", "c"]),
  ]

  @Test("Unreadable elements stay behind their readable predecessors", arguments: arrays)
  func array(stored: PlistValue, new: [Letter], expected: PlistValue) throws {
    let fixture = KeyFixture(stored: stored)
    Defaults[fixture.key(default: [Letter.d])] = new
    #expect(fixture.stored == expected)
    // The strict accessor stores the same, and so does a writer that has read the value.
    for isRead in [false, true] {
      let fixture = KeyFixture(stored: stored)
      let key = fixture.key(default: [Letter.d])
      if isRead { _ = Defaults[key] }
      try key.store(new)
      #expect(fixture.stored == expected)
    }
  }

  @Test("Setting what has been read changes nothing")
  func same() {
    for stored in [["a", "x", "b"], ["x", "a"], ["a", ["q"], "b", "y"]] as [PlistValue] {
      let fixture = KeyFixture(stored: stored)
      let key = fixture.key(default: [Letter.d])
      Defaults[key] = Defaults[key]
      #expect(fixture.stored == stored)
    }
  }

  @Test("A reset and nil remove unreadable elements")
  func reset() {
    let fixture = KeyFixture(stored: ["a", "x"])
    let key = Defaults.Key<[Letter]?>(fixture.name, suite: fixture.store)
    #expect(Defaults[key] == [.a])
    Defaults[key] = [.b]
    #expect(fixture.stored == ["b", "x"])
    Defaults[key] = nil
    #expect(fixture.stored == nil)
    fixture.store.set(["a", "x"], forKey: fixture.name)
    key.reset()
    #expect(fixture.stored == nil)
  }

  // MARK: Other collections

  @Test("Sets keep them")
  func sets() {
    let fixture = KeyFixture(stored: ["c", "x", "a"])
    let key = fixture.key(default: Set<Letter>())
    #expect(Defaults[key] == [.a, .c])
    Defaults[key].insert(.b)
    #expect(fixture.stored == ["a", "b", "c", "x"])
    #expect(Defaults[key] == [.a, .b, .c])
  }

  @Test("Dictionaries keep them under their keys, also under keys that are none of the type")
  func dictionaries() {
    let fixture = KeyFixture(stored: ["1": "a", "2": "x", "three": "b"])
    let key = fixture.key(default: [Int: Letter]())
    #expect(Defaults[key] == [1: .a])
    Defaults[key][4] = .d
    #expect(fixture.stored == ["1": "a", "2": "x", "4": "d", "three": "b"])
    Defaults[key][2] = .c
    #expect(fixture.stored == ["1": "a", "2": "c", "4": "d", "three": "b"])
    #expect(
      fixture.reports == [
        "cannot be read: expected a raw value of Letter (at 2)",
        "cannot be read: expected a key of type Int (at three)",
      ])
    Defaults[key] = [:]
    #expect(fixture.stored == [:])
  }

  @Test("Nested collections keep them where they are")
  func nested() {
    let fixture = KeyFixture(
      stored: ["one": [["a", "x"], ["y"], ["b"]], "two": "z", "three": [["c", "w"]]])
    let key = fixture.key(default: [String: [[Letter]]]())
    #expect(Defaults[key] == ["one": [[.a], [.b]], "three": [[.c]]])
    Defaults[key]["one"]?[0].append(.d)
    #expect(
      fixture.stored == [
        "one": [["a", "x", "d"], ["y"], ["b"]], "two": "z", "three": [["c", "w"]],
      ])
    Defaults[key]["three"] = [[]]
    Defaults[key]["four"] = [[.a]]
    #expect(
      fixture.stored == [
        "four": [["a"]], "one": [["a", "x", "d"], ["y"], ["b"]], "two": "z", "three": [[]],
      ])
    #expect(
      Set(fixture.reports) == [
        "cannot be read: expected a raw value of Letter (at one.0.1)",
        "cannot be read: expected a raw value of Letter (at one.1.0)",
        "cannot be read: expected an array, found a string (at two)",
        "cannot be read: expected a raw value of Letter (at three.0.1)",
      ])
  }

  @Test("Optional and Codable elements, and collections of a program's own")
  func otherElements() {
    let optional = KeyFixture(stored: ["a", ["$nil": true], "x"])
    let optionals = optional.key(default: [Letter?]())
    #expect(Defaults[optionals] == [.a, nil])
    Defaults[optionals].append(nil)
    #expect(optional.stored == ["a", ["$nil": true], "x", ["$nil": true]])

    let good = #"{"name":"x","port":1}"#
    let codable = KeyFixture(stored: [#"{"name":"old"}"#, .string(good), "{"])
    let sites = codable.key(default: [Site]())
    #expect(Defaults[sites] == [Site(name: "x", port: 1)])
    Defaults[sites][0].port = 2
    #expect(
      codable.stored == [#"{"name":"old"}"#, #"{"name":"x","port":2}"#, "{"])

    let bag = KeyFixture(stored: ["a", "x"])
    let letters = bag.key(default: CollectionTypeTests.Bag<Letter>([]))
    #expect(Defaults[letters].items == [.a])
    Defaults[letters].insert(.b, at: 1)
    #expect(bag.stored == ["a", "x", "b"])
  }

  @Test("Ranges, which are stored as arrays, are read whole or not at all")
  func ranges() {
    let fixture = KeyFixture(stored: [1, "x"])
    #expect(Defaults[fixture.key(default: 7..<9)] == 7..<9)
    #expect(fixture.reports.count == 1)
  }

  // MARK: Layers and observers

  @Test("Unreadable elements of a layer below are kept, registered ones are not")
  func lowerLayers() {
    let fixture = KeyFixture()
    let key = fixture.key(default: [Letter]())
    fixture.store.register(defaults: [fixture.name: ["a", "x"]])
    Defaults[key] = [.b]
    #expect(fixture.stored == ["b"])
    fixture.store.removeObject(forKey: fixture.name)
    fixture.store.setPersistentDomain(
      [fixture.name: ["c", "y"]], forName: PreferencesStore.globalDomain)
    #expect(Defaults[key] == [.c])
    Defaults[key].append(.d)
    #expect(fixture.stored == ["c", "y", "d"])
  }

  @Test("A value on the command line hides the stored one, whose unreadable elements are kept")
  func commandLine() throws {
    let fixture = try FileFixture()
    let store = try fixture.store(arguments: ["-letters", "(d, z)"])
    store.set(["a", "x"], forKey: "letters")
    let key = Defaults.Key<[Letter]>("letters", default: [], suite: store)
    #expect(Defaults[key] == [.d])
    Defaults[key] = [.b]
    #expect(
      store.origins(forKey: "letters").first { $0.layer.kind == .user }?.value == ["b", "x"])
  }

  @Test("Observers receive the readable elements")
  func observers() {
    let fixture = KeyFixture(stored: ["a", "x"])
    let key = fixture.key(default: [Letter]())
    let seen = Recorder<[Letter]>()
    let observation = Defaults.observe(key, options: []) { change in
      seen.record(change.oldValue)
      seen.record(change.newValue)
    }
    Defaults[key].append(.b)
    observation.invalidate()
    #expect(seen.all == [[.a], [.a, .b]])
  }
}
