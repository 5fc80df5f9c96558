import Foundation
import PropertyList
import TestSupport
import Testing

import Threading
@testable import Preferences

@Suite("Lifetime of observers")
struct ObservationLifetimeTests {
  /// Does something when it is released.
  private final class Farewell: Sendable {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    deinit { body() }
  }

  /// Holds something that can be let go of.
  private final class Holder<Value: Sendable>: Sendable {
    private let value: Lock<Value?>

    init(_ value: Value?) { self.value = Lock(value) }

    func set(_ new: Value?) {
      // Released when the lock is not held.
      let old = value.withLock { exchange(&$0, with: new) }
      withExtendedLifetime(old) {}
    }

    func get() -> Value? { value.withLock { $0 } }
  }

  /// Bytes that do something when they are released.
  private static func data(
    size: Int = 100, _ body: @escaping @Sendable () -> Void
  ) -> PlistValue {
    let bytes = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
    bytes.initializeMemory(as: UInt8.self, repeating: 7, count: size)
    return .data(
      Data(
        bytesNoCopy: bytes, count: size,
        deallocator: .custom { bytes, _ in
          bytes.deallocate()
          body()
        }))
  }

  @Test("Canceling ends an observer, even repeatedly", arguments: Backing.allCases)
  func cancel(backing: Backing) throws {
    let store = try StoreFixture(backing).store
    let (heard, other) = (Heard(store), Heard(store))
    store.set(1, forKey: "k")
    heard.cancel()
    store.set(2, forKey: "k")
    heard.cancel()
    heard.cancel()
    store.set(3, forKey: "k")
    #expect(heard.take() == [PreferencesChange(nil, 1)])
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
    var heard: Heard? = store.map { Heard($0, initial: true) }
    store = nil
    #expect(weakStore == nil)
    #expect(list != nil)
    let second = PreferencesStore(fileAt: path)
    second.set(2, forKey: "k")
    #expect(heard?.take() == [PreferencesChange(1, 1), PreferencesChange(1, 2)])
    try second.flush()
    try fixture.write(["k": 3], to: "other.plist")
    #expect(eventually { heard?.last == 3 })
    heard = nil
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
      var heard = [Heard(store), Heard(allOf: store), Heard(store, keys: ["a", "b"])]
      store.addSuite(named: "suite")
      heard.append(Heard(store, "in a suite"))
      heard[0].cancel()
      for key in ["k", "a", "in a suite"] { store.set(1, forKey: key) }
      store.removeSuite(named: "suite")
      _ = store.observableValue(forKey: "k")
      _ = store.changes(of: "k")
      store.set(2, forKey: "k")
      try store.flush()
      #expect(heard.map { $0.all.count } == [0, 4, 1, 1])
    }
    fixture = nil
    #expect(eventually { list == nil && file == nil && registration == nil })
  }

  @Test("The closure's captures are released when the observer ends", arguments: [true, false])
  func closure(cancels: Bool) throws {
    let store = try StoreFixture(.memory).store
    let isReleased = Moment()
    var farewell: Farewell? = Farewell { isReleased.come() }
    var token: PreferencesObservation? = store.observe("k") { [farewell] _ in
      withExtendedLifetime(farewell) {}
    }
    farewell = nil
    #expect(!isReleased.isThere)
    if cancels { token?.cancel() } else { token = nil }
    #expect(isReleased.isThere)
    withExtendedLifetime(token) {}
  }

  @Test(
    "The closure's captures may use the store while they are released", arguments: Backing.allCases)
  func closureThatUsesTheStore(backing: Backing) throws {
    let store = try StoreFixture(backing).store
    let heard = Heard(store)
    let other = Heard(store)
    let token = Holder<PreferencesObservation>(nil)
    let end = onThread {
      /// Observes with a closure that holds an object.
      func observe(_ farewell: Farewell) {
        token.set(
          store.observe("k") { _ in
            token.get()?.cancel()
            withExtendedLifetime(farewell) {}
          })
      }
      observe(
        Farewell {
          store.set(2, forKey: "k")
          other.cancel()
          store.addSuite(named: "suite")
          store.synchronize()
          token.set(nil)
        })
      store.set(1, forKey: "k")
      store.set(3, forKey: "k")
    }
    #expect(end.wait())
    #expect(heard.all.last == PreferencesChange(2, 3))
    #expect(heard.all.isChain())
    #expect(other.all.count < heard.all.count)
  }

  @Test("A token captured by another observer's closure ends with it")
  func nestedTokens() throws {
    let store = try StoreFixture(.memory).store
    let count = Lock(0)
    let end = onThread {
      var token = store.observe("k") { _ in count.withLock { $0 += 1 } }
      for _ in 0..<1000 {
        token = store.observe("k") { [token] _ in
          withExtendedLifetime(token) { count.withLock { $0 += 1 } }
        }
      }
      store.set(1, forKey: "k")
    }
    #expect(end.wait())
    #expect(count.withLock { $0 } == 1001)
    store.set(2, forKey: "k")
    #expect(count.withLock { $0 } == 1001)
  }

  // MARK: Values

  @Test("Values may use the store while they are released", arguments: Backing.allCases)
  func values(backing: Backing) throws {
    let fixture = try StoreFixture(backing)
    let store = fixture.store
    let count = Lock(0)
    let end = onThread {
      let body: @Sendable () -> Void = {
        count.withLock { $0 += 1 }
        _ = store.plistValue(forKey: "k")
        store.set(0, forKey: "released")
        _ = Heard(store, "k", initial: true)
        store.addSuite(named: "suite")
        store.removeSuite(named: "suite")
        _ = store.synchronize()
      }
      store.set(Self.data(body), forKey: "k")
      store.set(Self.data(size: 101, body), forKey: "k")
      store.removeObject(forKey: "k")
      store.set(Self.data(body), forKey: "k")
      _ = try? store.flush()
      store.set(Self.data(size: 101, body), forKey: "k")
      _ = try? store.flush()
      _ = try? store.update { $0["k"] = Self.data(size: 102, body) }
      store.removeAll()
      _ = try? store.flush()
      store.register(defaults: ["k": Self.data(body)])
      store.register(defaults: ["k": Self.data(size: 101, body)])
      store.setVolatileDomain([:], forName: PreferencesStore.registrationDomain)
      store.setVolatileDomain(
        ["k": Self.data(body)], forName: PreferencesStore.argumentDomain)
      store.removeVolatileDomain(forName: PreferencesStore.argumentDomain)
    }
    #expect(end.wait())
    #expect(eventually { count.withLock { $0 } == 8 })
  }

  @Test("Values may use the store when released after equal ones were read from the file")
  func equalValues() throws {
    let fixture = try StoreFixture()
    let store = fixture.store
    let isReleased = Moment()
    let end = onThread {
      do {
        store.set(
          Self.data {
            _ = store.plistValue(forKey: "k")
            store.set(0, forKey: "released")
            isReleased.come()
          }, forKey: "k")
        try store.flush()
        // Another process writes the same value anew, and another key.
        let other = DomainFile(path: store.user.path)
        other.set("theirs", forKey: "other")
        try other.save()
        store.synchronize()
        store.set("new", forKey: "k")
        try store.flush()
        store.synchronize()
      } catch {
        Issue.record(error)
      }
    }
    #expect(end.wait())
    #expect(isReleased.wait())
  }

  @Test("Registered values may use the store when replaced by equal ones")
  func equalRegisteredValues() throws {
    let store = try StoreFixture(.memory).store
    let isReleased = Moment()
    let end = onThread {
      func bytes() -> PlistValue { .data(Data(repeating: 7, count: 100)) }
      store.register(
        defaults: [
          "k": Self.data {
            _ = store.plistValue(forKey: "k")
            isReleased.come()
          }
        ])
      store.setVolatileDomain(
        ["k": bytes(), "other": 1], forName: PreferencesStore.registrationDomain)
      store.register(defaults: ["k": "new"])
    }
    #expect(end.wait())
    #expect(isReleased.wait())
  }

  @Test("Values of a suite may change the suites when the suite is released")
  func valuesOfASuite() throws {
    let fixture = try StoreFixture()
    let store = fixture.store
    let isReleased = Moment()
    let end = onThread {
      do {
        var suite: PreferencesStore? = try fixture.store("suite")
        suite?.set(
          Self.data {
            store.addSuite(named: "another")
            isReleased.come()
          }, forKey: "k")
        try suite?.flush()
        store.addSuite(named: "suite")
        weak let file = suite?.user
        suite = nil
        // The scheduler keeps the file for a moment.
        #expect(eventually { !CommitScheduler.shared.unsavedFiles.contains { $0 === file } })
        store.removeSuite(named: "suite")
      } catch {
        Issue.record(error)
      }
    }
    #expect(end.wait())
    #expect(isReleased.wait())
    #expect(store.searchList.entries.contains { $0.layer.domain == "another" })
  }
}
