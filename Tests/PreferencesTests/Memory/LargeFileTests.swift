import Foundation
import PropertyList
import TestSupport
import Testing

@testable import Preferences

@Suite("A large binary file")
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

  @Test("A write is saved with all existing values")
  func saving() throws {
    #expect(store.string(forKey: "org.example.key.7") == "the value of number 7")
    store.set(1, forKey: "new")
    store.removeObject(forKey: "org.example.key.8")
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
    let recorder = ChangeRecorder(store, "org.example.key.1")
    store.set("other", forKey: "org.example.key.1")
    #expect(recorder.all.map(\.oldValue) == ["the value of number 1"])
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

  @Test("Nothing is left of a removed file")
  func removal() throws {
    #expect(store.plistValue(forKey: "list") != nil)
    try FileManager.default.removeItem(atPath: fixture.path(name))
    store.synchronize()
    #expect(store.plistValue(forKey: "list") == nil)
    #expect(store.user.allValues == [:])
  }

  @Test("Nothing is left of a file that another process has emptied")
  func emptying() throws {
    #expect(store.plistValue(forKey: "list") != nil)
    try fixture.write([:], to: name, as: .binary)
    store.synchronize()
    store.set(1, forKey: "new")
    try store.flush()
    #expect(try fixture.read(name).value == ["new": 1])
  }

  @Test("Nothing is left of a recovered file")
  func recovery() throws {
    #expect(store.plistValue(forKey: "list") != nil)
    try fixture.folder.write("no property list", to: name)
    #expect(try store.recover() != nil)
    #expect(store.plistValue(forKey: "list") == nil)
    #expect(store.user.allValues == [:])
  }

  @Test("A corrupt file is rejected like a small one")
  func corruption() throws {
    var data = try fixture.folder.data(name)
    // In the middle of the keys.
    let place = try #require(data.range(of: Data("org.example.key.5000".utf8)))
    // The marker of a string becomes one that has no meaning. Its length has separate bytes.
    data[place.lowerBound - 3] = 0x7F
    try fixture.folder.write(data, to: name)
    #expect(store.plistValue(forKey: "list") == nil)
    #expect(store.problems.count == 1)
    store.set(1, forKey: "k")
    #expect(throws: PreferencesError.self) { try store.flush() }
    #expect(try fixture.folder.data(name) == data)
    store.removeObject(forKey: "k")
  }

  @Test("A file with a value that preferences cannot hold is rejected like a small one")
  func notPreferences() throws {
    var values = Self.values
    values["list"] = [1, [.null]]
    try fixture.write(values, to: name, as: .binary)
    #expect(store.plistValue(forKey: "naïve") == nil)
    #expect(store.problems == [.notPreferences(path: fixture.path(name))])
  }

  @Test("Threads that read and write concurrently see every value")
  func threads() {
    let store = store
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for number in 0..<200 {
        let key = "org.example.key.\(thread * 1000 + number)"
        let expected = "the value of number \(thread * 1000 + number)"
        if store.string(forKey: key) != expected { Issue.record("another value for \(key)") }
        if number % 10 == 0 { store.set(number, forKey: "thread.\(thread)") }
      }
    }
    #expect(store.user.allValues.count == Self.values.count + 8)
  }
}
