import Foundation
import PreferencesFoundation
import PropertyList
import Synchronization
import TestSupport
import Testing

@Suite("A change of a store's own domain posts a notification")
final class ChangeNotificationTests {
  /// Counts the notifications of one store.
  private final class Counter: Sendable {
    private let count = Atomic(0)
    // Notification tokens are immutable, but not marked so.
    nonisolated(unsafe) private let token: any NSObjectProtocol

    init(_ store: PreferencesStore) {
      let box = Box()
      token = NotificationCenter.default.addObserver(
        forName: PreferencesStore.didChangeNotification, object: store, queue: nil
      ) { notification in
        #expect(notification.object as? PreferencesStore === store)
        box.counter?.count.add(1, ordering: .relaxed)
      }
      box.counter = self
    }

    private final class Box: @unchecked Sendable {
      // Set before anything is posted.
      weak var counter: Counter?
    }

    deinit { NotificationCenter.default.removeObserver(token) }

    /// Returns the number of notifications since the last call.
    func take() -> Int { count.exchange(0, ordering: .relaxed) }
  }

  @Test("Setting or removing a value posts once if it changes the own domain")
  func keys() throws {
    let store = PreferencesStore.inMemory()
    let counter = Counter(store)
    store.set(1, forKey: "k")
    #expect(counter.take() == 1)
    store.set(1, forKey: "k")
    store.set(1 as Any, forKey: "k")
    #expect(counter.take() == 0)
    store.set(1.0, forKey: "k")
    #expect(counter.take() == 1)
    store.removeObject(forKey: "k")
    #expect(counter.take() == 1)
    store.removeObject(forKey: "k")
    store.removeAll()
    #expect(counter.take() == 0)
    store.register(defaults: ["k": 1])
    #expect(counter.take() == 0)
    store.set(1, forKey: "k")
    #expect(counter.take() == 1)
    store.removeAll()
    #expect(counter.take() == 1)
    try store.update { $0["k"] = 2 }
    #expect(counter.take() == 1)
    try store.update { $0["k"] = 2 }
    _ = try? store.update { values in
      values["k"] = 3
      throw CancellationError()
    }
    #expect(counter.take() == 0)
    try store.flush()
    #expect(counter.take() == 0)
  }

  @Test(
    "Replacing or removing a persistent domain posts once, changed or not",
    arguments: [PreferencesStore.inMemory().domain, PreferencesStore.globalDomain, "other"])
  func domains(name: String) {
    let store = PreferencesStore.inMemory()
    let counter = Counter(store)
    store.setPersistentDomain(["k": 1], forName: name)
    #expect(counter.take() == 1)
    store.setPersistentDomain(["k": 1], forName: name)
    #expect(counter.take() == 1)
    store.removePersistentDomain(forName: name)
    #expect(counter.take() == 1)
    store.removePersistentDomain(forName: name)
    #expect(counter.take() == 1)
  }

  @Test("The observer reads the new value and may change it")
  func nesting() {
    let store = PreferencesStore.inMemory()
    let token = NotificationCenter.default.addObserver(
      forName: PreferencesStore.didChangeNotification, object: store, queue: nil
    ) { _ in
      let value = store.integer(forKey: "k")
      if value < 5 { store.set(value + 1, forKey: "k") }
    }
    store.set(1, forKey: "k")
    NotificationCenter.default.removeObserver(token)
    #expect(store.integer(forKey: "k") == 5)
  }

  @Test("Only the store through which the change is made posts")
  func object() throws {
    let folder = try TemporaryFolder()
    let one = PreferencesStore(fileAt: folder.path("d.plist"))
    let other = PreferencesStore(fileAt: folder.path("d.plist"))
    let counters = [Counter(one), Counter(other)]
    one.set(1, forKey: "k")
    #expect(other.integer(forKey: "k") == 1)
    #expect(counters.map { $0.take() } == [1, 0])
    try one.flush()
  }

  @Test("A publisher sends the notifications of one store or of all, until it is canceled")
  func publisher() {
    let (one, two) = (PreferencesStore.inMemory(), PreferencesStore.inMemory())
    let stores = Recorder<ObjectIdentifier>()
    let center = NotificationCenter.default
    let ofOne = center.publisher(for: PreferencesStore.didChangeNotification, object: one)
      .compactMap { $0.object as? PreferencesStore }
      .sink { stores.record(ObjectIdentifier($0)) }
    one.set(1, forKey: "k")
    two.set(1, forKey: "k")
    #expect(stores.take() == [ObjectIdentifier(one)])
    let ofAll = center.publisher(for: PreferencesStore.didChangeNotification)
      .compactMap { $0.object as? PreferencesStore }
      // Other tests change their stores at the same time.
      .filter { $0 === two }
      .sink { stores.record(ObjectIdentifier($0)) }
    two.set(2, forKey: "k")
    #expect(stores.take() == [ObjectIdentifier(two)])
    ofOne.cancel()
    ofAll.cancel()
    one.set(3, forKey: "k")
    two.set(3, forKey: "k")
    #expect(stores.take() == [])
  }
}
