import Foundation
import PropertyList
import TestSupport
import Testing

import Threading
@testable import Preferences

@Suite("A snapshot", .timeLimit(.minutes(5)))
struct SnapshotTests {
  @Test(
    "has the values of all layers, converted as the store converts them",
    arguments: Backing.allCases)
  func values(backing: Backing) throws {
    let fixture = try StoreFixture(backing)
    let store = fixture.store
    let date = Date(timeIntervalSinceReferenceDate: 1)
    store.register(defaults: ["theme": "light", "volume": 0.5, "registered": 7])
    store.setPersistentDomain(["suite": "yes", "theme": "blue"], forName: "suite")
    store.addSuite(named: "suite")
    store.set([
      "theme": "dark", "list": ["a", "b"], "table": ["k": 1], "data": .data(Data([1])), "count": 3,
      "date": .date(date), "number": "12 apples", "file": "/tmp/x",
    ])
    try store.flush()
    store.set(true, forKey: "unsaved")
    store.removeObject(forKey: "count")
    let snapshot = store.snapshot()
    for key in [
      "theme", "volume", "registered", "suite", "list", "table", "data", "count", "date", "number",
      "file", "unsaved", "none",
    ] {
      #expect(snapshot.plistValue(forKey: key) == store.plistValue(forKey: key))
      #expect(snapshot.containsValue(forKey: key) == store.containsValue(forKey: key))
      #expect(snapshot.string(forKey: key) == store.string(forKey: key))
      #expect(snapshot.stringArray(forKey: key) == store.stringArray(forKey: key))
      #expect(snapshot.array(forKey: key)?.count == store.array(forKey: key)?.count)
      #expect(snapshot.dictionary(forKey: key)?.count == store.dictionary(forKey: key)?.count)
      #expect(snapshot.data(forKey: key) == store.data(forKey: key))
      #expect(snapshot.integer(forKey: key) == store.integer(forKey: key))
      #expect(snapshot.float(forKey: key) == store.float(forKey: key))
      #expect(snapshot.double(forKey: key) == store.double(forKey: key))
      #expect(snapshot.bool(forKey: key) == store.bool(forKey: key))
      #expect(snapshot.url(forKey: key) == store.url(forKey: key))
      #expect(snapshot.origins(forKey: key) == store.origins(forKey: key))
      #expect((snapshot.object(forKey: key) == nil) == (store.object(forKey: key) == nil))
    }
    #expect(snapshot.plistRepresentation == store.plistRepresentation)
    #expect(Array(snapshot.plistRepresentation.keys) == snapshot.plistRepresentation.keys.sorted())
  }

  @Test("keeps its values, whatever happens to the store", arguments: Backing.allCases)
  func isFixed(backing: Backing) throws {
    let fixture = try StoreFixture(backing)
    let store = fixture.store
    store.set(["a": 1, "b": 1])
    let first = store.snapshot()
    store.set(2, forKey: "a")
    let second = store.snapshot()
    try store.flush()
    let saved = store.snapshot()
    store.removeAll()
    store.set(3, forKey: "c")
    let third = store.snapshot()
    store.register(defaults: ["d": 4])
    #expect(first.plistRepresentation == ["a": 1, "b": 1])
    #expect(second.plistRepresentation == ["a": 2, "b": 1])
    #expect(saved.plistRepresentation == ["a": 2, "b": 1])
    #expect(third.plistRepresentation == ["c": 3])
    #expect(store.snapshot().plistRepresentation == ["c": 3, "d": 4])
    try store.flush()
    #expect(store.snapshot().plistRepresentation == ["c": 3, "d": 4])
  }

  @Test("has the values of a file that another process has written, and of a large one")
  func files() throws {
    let fixture = try StoreFixture()
    let values = PlistDictionary((0..<20_000).map { ("key \($0)", .integer(Int64($0))) })
    try fixture.write(values, to: "user/\(StoreFixture.domain).plist", as: .binary)
    #expect(fixture.store.integer(forKey: "key 7") == 7)
    let snapshot = fixture.store.snapshot()
    #expect(snapshot.integer(forKey: "key 19999") == 19_999)
    try fixture.write(["key 7": 8], to: "user/\(StoreFixture.domain).plist")
    #expect(eventually { fixture.store.snapshot().plistRepresentation == ["key 7": 8] })
    #expect(snapshot.integer(forKey: "key 7") == 7)
  }

  @Test("of an empty store is empty")
  func empty() throws {
    let snapshot = PreferencesStore.inMemory().snapshot()
    #expect(snapshot.plistRepresentation == [:])
    #expect(snapshot.plistValue(forKey: "k") == nil)
    #expect(snapshot.origins(forKey: "k") == [])
  }

  @Test("releases what has been replaced with itself, and the store keeps nothing for it")
  func lifetime() throws {
    let store = PreferencesStore.inMemory()
    let isReleased = Latch()
    do {
      let bytes = UnsafeMutableRawPointer.allocate(byteCount: 100_000, alignment: 8)
      store.set(
        .data(
          Data(
            bytesNoCopy: bytes, count: 100_000,
            deallocator: .custom { pointer, _ in
              pointer.deallocate()
              isReleased.open()
            })), forKey: "k")
    }
    var snapshot: PreferencesSnapshot? = store.snapshot()
    store.set(1, forKey: "k")
    try store.flush()
    #expect(!isReleased.isOpen)
    #expect(snapshot?.data(forKey: "k")?.count == 100_000)
    snapshot = nil
    #expect(eventually { isReleased.isOpen })
  }

  @Test("is never torn, whoever sets the pair", arguments: Backing.allCases)
  func pairs(backing: Backing) throws {
    let fixture = try StoreFixture(backing)
    let store = fixture.store
    store.set(["a": 0, "b": 0])
    let isDone = Latch()
    let counts = Lock((snapshots: 0, torn: 0))
    let readers = (0..<3).map { _ in
      TestThread {
        var (snapshots, torn) = (0, 0)
        while !isDone.isOpen {
          let snapshot = store.snapshot()
          if snapshot.integer(forKey: "a") != snapshot.integer(forKey: "b") { torn += 1 }
          snapshots += 1
        }
        counts.withLock { $0 = ($0.snapshots + snapshots, $0.torn + torn) }
      }
    }
    let saver = TestThread { while !isDone.isOpen { _ = try? store.flush() } }
    for number in 1...TestScale.count(20_000) {
      switch number % 4 {
      case 0: store.set(["a": .integer(Int64(number)), "b": .integer(Int64(number))])
      case 1: store.set([:], removing: ["a", "b"])
      case 2: try store.setAny(["a": number, "b": number])
      default:
        store.setPersistentDomain(["a": number, "b": number], forName: store.domain)
      }
    }
    isDone.open()
    for thread in readers + [saver] { #expect(thread.join()) }
    #expect(counts.withLock { $0.torn } == 0)
    #expect(counts.withLock { $0.snapshots } > 0)
    try store.flush()
  }

  @Test("is never torn by what another process saves")
  func pairsOfOthers() throws {
    let fixture = try StoreFixture()
    let store = fixture.store
    let other = DomainFile(path: store.user.path)
    let isDone = Latch()
    let torn = Lock(0)
    let readers = (0..<2).map { _ in
      TestThread {
        while !isDone.isOpen {
          let snapshot = store.snapshot()
          if snapshot.integer(forKey: "a") != snapshot.integer(forKey: "b") {
            torn.withLock { $0 += 1 }
          }
        }
      }
    }
    for number in 1...50 {
      _ = other.set([("a", .integer(Int64(number))), ("b", .integer(Int64(number)))])
      try other.save()
      #expect(eventually { store.snapshot().integer(forKey: "b") == number })
    }
    isDone.open()
    for thread in readers { #expect(thread.join()) }
    #expect(torn.withLock { $0 } == 0)
  }

  @Test("shows several layers at the same moment")
  func layers() throws {
    let fixture = try StoreFixture()
    let store = fixture.store
    let suite = try fixture.store("suite")
    store.addSuite(named: "suite")
    let isDone = Latch()
    let wrong = Lock(0)
    let readers = (0..<2).map { _ in
      TestThread {
        while !isDone.isOpen {
          let snapshot = store.snapshot()
          let lead = snapshot.integer(forKey: "first") - snapshot.integer(forKey: "second")
          if lead != 0, lead != 1 { wrong.withLock { $0 += 1 } }
        }
      }
    }
    for number in 1...TestScale.count(20_000) {
      suite.set(number, forKey: "first")
      store.set(number, forKey: "second")
    }
    isDone.open()
    for thread in readers { #expect(thread.join()) }
    #expect(wrong.withLock { $0 } == 0)
    for store in [store, suite] { try store.flush() }
  }
}
