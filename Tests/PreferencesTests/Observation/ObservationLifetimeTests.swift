import Foundation
import PropertyList
import TestSupport
import Testing

import Threading
@testable import Preferences

@Suite("Lifetime of observers")
struct ObservationLifetimeTests {
  /// A mutable reference.
  private final class Holder<Value: Sendable>: Sendable {
    private let value: Lock<Value?>

    init(_ value: Value?) { self.value = Lock(value) }

    func set(_ new: Value?) {
      // Released outside the lock.
      let old = value.withLock { exchange(&$0, with: new) }
      withExtendedLifetime(old) {}
    }

    func get() -> Value? { value.withLock { $0 } }
  }

  @Test("Canceling ends an observer, even repeatedly", arguments: Backing.allCases)
  func cancel(backing: Backing) throws {
    let store = try StoreFixture(backing).store
    let (recorder, other) = (ChangeRecorder(store), ChangeRecorder(store))
    store.set(1, forKey: "k")
    recorder.cancel()
    store.set(2, forKey: "k")
    recorder.cancel()
    recorder.cancel()
    store.set(3, forKey: "k")
    #expect(recorder.take() == [PreferencesChange(nil, 1)])
    #expect(
      other.take() == [
        PreferencesChange(nil, 1), PreferencesChange(1, 2), PreferencesChange(2, 3),
      ])
  }

  @Test("Releasing the token ends an observer", arguments: Backing.allCases)
  func release(backing: Backing) throws {
    let store = try StoreFixture(backing).store
    let count = Lock(0)
    var token: PreferencesObservation? = store.observe("k") { _ in count.withLock { $0 += 1 } }
    store.set(1, forKey: "k")
    #expect(token != nil)
    token = nil
    store.set(2, forKey: "k")
    _ = store.observeAll { _ in count.withLock { $0 += 1 } }
    store.set(3, forKey: "k")
    #expect(count.withLock { $0 } == 1)
  }

  @Test("An observer outlives its store, and nothing is left once its token is released")
  func storeReleased() throws {
    let fixture = try StoreFixture()
    try fixture.write(["k": 1], to: "other.plist")
    let path = fixture.path("other.plist")
    var store: PreferencesStore? = PreferencesStore(fileAt: path)
    weak let weakStore = store
    weak let list = store?.searchList
    weak let file = store?.user
    var recorder: ChangeRecorder? = store.map { ChangeRecorder($0, initial: true) }
    store = nil
    #expect(weakStore == nil)
    #expect(list != nil)
    let second = PreferencesStore(fileAt: path)
    second.set(2, forKey: "k")
    #expect(recorder?.take() == [PreferencesChange(1, 1), PreferencesChange(1, 2)])
    try second.flush()
    try fixture.write(["k": 3], to: "other.plist")
    #expect(eventually { recorder?.last == 3 })
    recorder = nil
    #expect(eventually { list == nil })
    #expect(file === second.user)
  }

  @Test(
    "Nothing is left of a store once it and its tokens are released", arguments: Backing.allCases)
  func leaks(backing: Backing) throws {
    var fixture: StoreFixture? = try StoreFixture(backing)
    weak let list = fixture?.store.searchList
    weak let file = fixture?.store.user
    weak let registration = fixture?.store.registration
    do {
      let store = try #require(fixture?.store)
      var recorders = [
        ChangeRecorder(store), ChangeRecorder(allOf: store),
        ChangeRecorder(store, keys: ["a", "b"]),
      ]
      store.addSuite(named: "suite")
      recorders.append(ChangeRecorder(store, "in a suite"))
      recorders[0].cancel()
      for key in ["k", "a", "in a suite"] { store.set(1, forKey: key) }
      store.removeSuite(named: "suite")
      _ = store.observableValue(forKey: "k")
      _ = store.changes(forKey: "k")
      store.set(2, forKey: "k")
      try store.flush()
      #expect(recorders.map { $0.all.count } == [0, 4, 1, 1])
    }
    fixture = nil
    #expect(eventually { list == nil && file == nil && registration == nil })
  }

  @Test("The closure's captures are released when the observer ends", arguments: [true, false])
  func closure(cancels: Bool) throws {
    let store = try StoreFixture(.memory).store
    let isReleased = Latch()
    var action: DeinitAction? = DeinitAction { isReleased.open() }
    var token: PreferencesObservation? = store.observe("k") { [action] _ in
      withExtendedLifetime(action) {}
    }
    action = nil
    #expect(!isReleased.isOpen)
    if cancels { token?.cancel() } else { token = nil }
    #expect(isReleased.isOpen)
    withExtendedLifetime(token) {}
  }

  @Test(
    "The closure's captures may use the store while they are released", arguments: Backing.allCases)
  func closureThatUsesTheStore(backing: Backing) throws {
    let store = try StoreFixture(backing).store
    let recorder = ChangeRecorder(store)
    let other = ChangeRecorder(store)
    let token = Holder<PreferencesObservation>(nil)
    let end = TestThread {
      /// Observes with a closure that captures an object.
      func observe(_ action: DeinitAction) {
        token.set(
          store.observe("k") { _ in
            token.get()?.cancel()
            withExtendedLifetime(action) {}
          })
      }
      observe(
        DeinitAction {
          store.set(2, forKey: "k")
          other.cancel()
          store.addSuite(named: "suite")
          store.synchronize()
          token.set(nil)
        })
      store.set(1, forKey: "k")
      store.set(3, forKey: "k")
    }
    #expect(end.join())
    #expect(recorder.all.last == PreferencesChange(2, 3))
    #expect(recorder.all.isChain())
    #expect(other.all.count < recorder.all.count)
  }

  @Test("A token captured by another observer's closure ends with it")
  func nestedTokens() throws {
    let store = try StoreFixture(.memory).store
    let count = Lock(0)
    let end = TestThread {
      var token = store.observe("k") { _ in count.withLock { $0 += 1 } }
      for _ in 0..<1000 {
        token = store.observe("k") { [token] _ in
          withExtendedLifetime(token) { count.withLock { $0 += 1 } }
        }
      }
      store.set(1, forKey: "k")
    }
    #expect(end.join())
    #expect(count.withLock { $0 } == 1001)
    store.set(2, forKey: "k")
    #expect(count.withLock { $0 } == 1001)
  }
}
