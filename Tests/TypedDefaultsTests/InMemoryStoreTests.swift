import Foundation
import Testing
import Threading
import TypedDefaults

@Suite("An InMemoryStore stores a value in memory, an AnyStore in any store")
struct InMemoryStoreTests {
  /// A value whose halves must be equal.
  struct Pair: DefaultConvertible, Equatable {
    static let key = "pair"
    var left: [Int]
    var right: [Int]

    init(_ number: Int) {
      left = [number]
      right = [number]
    }

    init?(_ object: Any) {
      guard let number = object as? Int else { return nil }
      self.init(number)
    }

    func serialize() -> Any { left[0] }
  }

  @Test("set, get and remove; synchronize does nothing")
  func values() {
    let store = InMemoryStore<Pair>()
    #expect(store.get() == nil)
    store.set(Pair(1))
    store.set(Pair(2))
    #expect(store.get() == Pair(2))
    #expect(store.synchronize())
    store.remove()
    #expect(store.get() == nil)
  }

  @Test("Two stores share nothing")
  func separate() {
    let (one, two) = (InMemoryStore<Pair>(), InMemoryStore<Pair>())
    one.set(Pair(1))
    #expect(two.get() == nil)
  }

  @Test("16 threads that use a store at once get only values that were set")
  func threads() {
    let store = InMemoryStore<Pair>()
    let strange = Lock<[Pair]>([])
    DispatchQueue.concurrentPerform(iterations: 16) { number in
      for round in 0..<200 {
        store.set(Pair(number))
        if let value = store.get(), value.left != value.right {
          strange.withLock { $0.append(value) }
        }
        if round % 10 == number % 10 { store.remove() }
      }
      store.set(Pair(number))
    }
    #expect(strange.withLock { $0 } == [])
    #expect((0..<16).contains { store.get() == Pair($0) })
  }

  /// A value that uses its store when it is deallocated.
  final class Nested: DefaultConvertible, Sendable {
    static let key = "nested"
    private let store: InMemoryStore<Nested>?

    init(_ store: InMemoryStore<Nested>?) { self.store = store }

    init?(_ object: Any) { return nil }

    deinit { if let store { store.set(Nested(nil)) } }

    func serialize() -> Any { 0 }
  }

  @Test("A value may use the store when it is deallocated")
  func nesting() {
    let store = InMemoryStore<Nested>()
    store.set(Nested(store))
    store.remove()
    #expect(store.get() != nil)
  }

  @Test("An AnyStore forwards to any other store")
  func anyStore() {
    let preferences = PreferencesStore.inMemory()
    let (memory, persistent) = (
      InMemoryStore<Pair>(), PersistentStore<Pair>(store: preferences)
    )
    let stores = [AnyStore(memory), AnyStore(persistent), AnyStore(AnyStore(memory))]
    for (number, store) in stores.enumerated() {
      store.set(Pair(number))
      #expect(store.get() == Pair(number))
      #expect(store.synchronize())
    }
    #expect(memory.get() == Pair(2))
    #expect(preferences.integer(forKey: Pair.key) == 1)
    for store in stores { store.remove() }
    #expect(memory.get() == nil)
    #expect(!preferences.containsValue(forKey: Pair.key))
  }

  /// A store whose operations fail.
  private final class FailingStore: DefaultStoreType {
    var attempts = 0
    func set(_ value: Pair) { attempts += 1 }
    func get() -> Pair? { nil }
    func remove() {}
    func synchronize() -> Bool { false }
  }

  @Test("An AnyStore accepts a custom store")
  func ownStore() {
    let failing = FailingStore()
    let store = AnyStore(failing)
    store.set(Pair(1))
    #expect(store.get() == nil)
    #expect(!store.synchronize())
    #expect(failing.attempts == 1)
  }
}
