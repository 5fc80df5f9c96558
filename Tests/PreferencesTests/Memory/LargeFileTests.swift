import Foundation
import PropertyList
import TestSupport
import Testing

@testable import Preferences

@Suite("A large binary file is read lazily")
struct LargeFileTests {
  private let fixture: StoreFixture
  private let store: PreferencesStore
  private let name = "user/\(StoreFixture.domain).plist"

  init() throws {
    fixture = try StoreFixture()
    store = fixture.store
    try fixture.write(Self.values, to: name, as: .binary)
  }

  private static let values: PlistDictionary = {
    var values: PlistDictionary = ["list": [1, ["deep": "text"]], "naïve": "é"]
    for number in 0..<10_000 {
      values["org.example.key.\(number)"] = .string("the value of number \(number)")
    }
    return values
  }()

  private var isUnread: Bool { StateLock.change { store.user.values.unread != nil } }

  @Test("Four lookups read single values, the fifth reads all")
  func lookups() {
    store.register(defaults: ["registered": 5])
    #expect(store.string(forKey: "org.example.key.9999") == "the value of number 9999")
    #expect(store.plistValue(forKey: "list") == [1, ["deep": "text"]])
    #expect(store.string(forKey: "naïve") == "é")
    #expect(store.integer(forKey: "registered") == 5)
    #expect(isUnread)
    #expect(store.plistValue(forKey: "absent") == nil)
    #expect(!isUnread)
    #expect(store.string(forKey: "org.example.key.0") == "the value of number 0")
    #expect(store.user.allValues == Self.values)
    #expect(store.problems == [])
  }

  @Test("A write is saved with all existing values")
  func saving() throws {
    #expect(store.string(forKey: "org.example.key.7") == "the value of number 7")
    #expect(isUnread)
    store.set(1, forKey: "new")
    store.removeObject(forKey: "org.example.key.8")
    #expect(!isUnread)
    #expect(store.string(forKey: "org.example.key.7") == "the value of number 7")
    #expect(store.string(forKey: "org.example.key.8") == nil)
    try store.flush()
    var expected = Self.values
    expected["new"] = 1
    expected["org.example.key.8"] = nil
    #expect(try fixture.read().value == .dictionary(expected))
  }

  @Test("An update begins with all existing values")
  func update() throws {
    #expect(store.plistValue(forKey: "list") != nil)
    try store.update { values in
      #expect(values == Self.values)
      values["new"] = 1
    }
    #expect(try fixture.read().value[PlistKeyPath("new")] == 1)
    #expect(store.string(forKey: "org.example.key.7") == "the value of number 7")
  }

  @Test("Observers are notified of changes")
  func observing() {
    #expect(store.plistValue(forKey: "list") != nil)
    let heard = Heard(store, "org.example.key.1")
    store.set("other", forKey: "org.example.key.1")
    #expect(heard.all.map(\.oldValue) == ["the value of number 1"])
  }

  @Test("Another process's file replaces it")
  func reload() throws {
    #expect(store.plistValue(forKey: "list") != nil)
    try fixture.write(["list": 2], to: name, as: .binary)
    store.synchronize()
    #expect(store.plistValue(forKey: "list") == 2)
    #expect(store.plistValue(forKey: "org.example.key.1") == nil)
    #expect(store.user.allValues == ["list": 2])
  }

  @Test("Nothing is left of a file that was removed, emptied or recovered")
  func ends() throws {
    #expect(store.plistValue(forKey: "list") != nil)
    try FileManager.default.removeItem(atPath: fixture.path(name))
    store.synchronize()
    #expect(store.plistValue(forKey: "list") == nil)
    #expect(store.user.allValues == [:])

    let emptied = "user/org.example.emptied.plist"
    try fixture.write(Self.values, to: emptied, as: .binary)
    let other = try fixture.store("org.example.emptied")
    #expect(other.plistValue(forKey: "list") != nil)
    try fixture.write([:], to: emptied, as: .binary)
    other.synchronize()
    other.set(1, forKey: "new")
    try other.flush()
    #expect(try fixture.read(emptied).value == ["new": 1])

    let damaged = "user/org.example.recovered.plist"
    try fixture.write(Self.values, to: damaged, as: .binary)
    let last = try fixture.store("org.example.recovered")
    #expect(last.plistValue(forKey: "list") != nil)
    try fixture.folder.write(Data("no property list".utf8), to: damaged)
    #expect(try last.recover() != nil)
    #expect(last.plistValue(forKey: "list") == nil)
    #expect(last.user.allValues == [:])
  }

  @Test("A corrupt file, or one that is not of preferences, is rejected like a small one")
  func damage() throws {
    var data = try fixture.folder.data(name)
    let other = try fixture.store("org.example.damaged")
    // In the middle of the keys.
    let place = try #require(data.range(of: Data("org.example.key.5000".utf8)))
    data[place.lowerBound] = 0xFF
    try fixture.folder.write(data, to: "user/org.example.damaged.plist")
    #expect(other.plistValue(forKey: "list") == nil)
    #expect(other.problems.count == 1)
    other.set(1, forKey: "k")
    #expect(throws: PreferencesError.self) { try other.flush() }
    #expect(try fixture.folder.data("user/org.example.damaged.plist") == data)
    other.removeObject(forKey: "k")

    let last = try fixture.store("org.example.null")
    var values = Self.values
    values["list"] = [1, [.null]]
    try fixture.write(values, to: "user/org.example.null.plist", as: .binary)
    #expect(last.plistValue(forKey: "naïve") == nil)
    #expect(last.problems == [.notPreferences(path: fixture.path("user/org.example.null.plist"))])
  }

  @Test("Threads that read and write concurrently see every value")
  func threads() {
    let store = store
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for number in 0..<200 {
        let key = "org.example.key.\(thread * 1000 + number)"
        let expected = "the value of number \(thread * 1000 + number)"
        if store.string(forKey: key) != expected { Issue.record("\(key) is another") }
        if number % 10 == 0 { store.set(number, forKey: "thread.\(thread)") }
      }
    }
    #expect(store.user.allValues.count == Self.values.count + 8)
  }
}
