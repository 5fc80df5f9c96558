import Foundation
import PropertyList
import TestSupport
import Testing

import Threading
@testable import Preferences

@Suite("Stores used within observers and updates")
struct ObservationNestingTests {
  @Test(
    "An observer's writes are delivered after the change that it handles",
    arguments: [true, false])
  func changesTheKey(isFirst: Bool) throws {
    let store = try StoreFixture(.memory).store
    var recorders: [ChangeRecorder] = []
    if isFirst { recorders.append(ChangeRecorder(store)) }
    recorders.append(
      ChangeRecorder(store) { recorder, change in
        if change.newValue == 1 { store.set(2, forKey: "k") }
        // The handler is not reentered.
        #expect(recorder.last == change.newValue)
      })
    if !isFirst { recorders.append(ChangeRecorder(store)) }
    recorders.append(ChangeRecorder(allOf: store))
    store.set(1, forKey: "k")
    let changes = [PreferencesChange(nil, 1), PreferencesChange(1, 2)]
    for recorder in recorders { #expect(recorder.take() == changes) }
  }

  @Test("Writes of the initial call are delivered after its return")
  func changesInFirstCall() throws {
    let store = try StoreFixture(.memory).store
    let isCalled = Latch()
    let other = ChangeRecorder(store, "other") { _, _ in #expect(isCalled.isOpen) }
    let token = store.observe("k", initial: true) { _ in
      store.set(1, forKey: "other")
      #expect(other.all == [])
      isCalled.open()
    }
    #expect(other.take() == [PreferencesChange(nil, 1, of: "other")])
    withExtendedLifetime(token) {}
  }

  @Test("An observer may cancel itself, and receives no pending changes")
  func cancelsItself() throws {
    let store = try StoreFixture(.memory).store
    let recorder = ChangeRecorder(store) { recorder, _ in
      store.set(2, forKey: "k")
      recorder.cancel()
      store.set(3, forKey: "k")
    }
    let other = ChangeRecorder(store)
    store.set(1, forKey: "k")
    store.set(4, forKey: "k")
    #expect(recorder.take() == [PreferencesChange(nil, 1)])
    #expect(other.all.map(\.newValue) == [1, 2, 3, 4])
  }

  @Test("An observer may cancel another one, which is not called again", arguments: [true, false])
  func cancelsAnother(isFirst: Bool) throws {
    let store = try StoreFixture(.memory).store
    let canceled = Lock<ChangeRecorder?>(nil)
    let canceler = { @Sendable in
      ChangeRecorder(store) { _, change in
        if change.newValue == 2 { canceled.withLock { $0 }?.cancel() }
      }
    }
    var recorders = isFirst ? [] : [canceler()]
    let other = ChangeRecorder(store)
    canceled.withLock { $0 = other }
    if isFirst { recorders.append(canceler()) }
    for number in 1...3 { store.set(number, forKey: "k") }
    #expect(other.take().map(\.newValue) == (isFirst ? [1, 2] : [1]))
    #expect(recorders[0].take().map(\.newValue) == [1, 2, 3])
  }

  @Test(
    "An observer registered by another one receives later changes only", arguments: Backing.allCases
  )
  func registersAnother(backing: Backing) throws {
    let store = try StoreFixture(backing).store
    let new = Lock<[ChangeRecorder]>([])
    let recorder = ChangeRecorder(store) { _, change in
      guard change.newValue == 1 else { return }
      let (later, first) = (ChangeRecorder(store), ChangeRecorder(store, initial: true))
      #expect(first.all == [PreferencesChange(1, 1)])
      store.set(2, forKey: "k")
      #expect(later.all == [])
      new.withLock { $0 = [later, first] }
    }
    store.set(1, forKey: "k")
    let changes = new.withLock { $0 }.map { $0.take() }
    #expect(
      changes == [
        [PreferencesChange(1, 2)], [PreferencesChange(1, 1), PreferencesChange(1, 2)],
      ])
    store.set(3, forKey: "k")
    #expect(new.withLock { $0[0] }.take() == [PreferencesChange(2, 3)])
    #expect(recorder.take().map(\.newValue) == [1, 2, 3])
  }

  @Test("An observer may use the whole interface", arguments: Backing.allCases)
  func everything(backing: Backing) throws {
    let fixture = try StoreFixture(backing)
    let store = fixture.store
    let calls = Lock(0)
    let token = store.observe("k") { change in
      calls.withLock { $0 += 1 }
      guard change.newValue == 1 else { return }
      do {
        #expect(store.synchronize())
        try store.flush()
        try store.update { $0["updated"] = 1 }
        // Files of other tests may be impossible to save.
        try? PreferencesStore.flushAll(timeout: .milliseconds(10))
        store.addSuite(named: "suite")
        store.register(defaults: ["registered": 1])
        store.setPersistentDomain(["k": 5], forName: "suite")
        store.setVolatileDomain(["argument": 1], forName: PreferencesStore.argumentDomain)
        _ = store.problems
        _ = store.origins(forKey: "k")
        _ = store.observableValue(forKey: "k")
        _ = store.changes(forKey: "k", initial: true)
        #expect(try store.recover() == nil)
        #expect(
          store.plistRepresentation == [
            "k": 1, "updated": 1, "registered": 1, "argument": 1,
          ])
        store.removeSuite(named: "suite")
        store.removeAll()
      } catch {
        Issue.record(error)
      }
    }
    store.set(1, forKey: "k")
    #expect(calls.withLock { $0 } == 2)
    #expect(store.plistRepresentation == ["registered": 1, "argument": 1])
    try store.flush()
    withExtendedLifetime(token) {}
  }

  /// Too small for a thousand nested calls, in bytes.
  private static let smallStack = 256 << 10

  @Test(
    "Two observers that write each other's keys do not exhaust the stack",
    arguments: Backing.allCases)
  func pingPong(backing: Backing) throws {
    let store = try StoreFixture(backing).store
    let end = TestThread(stackSize: Self.smallStack) {
      let tokens = [("a", "b"), ("b", "a")].map { key, other in
        store.observe(key) { change in
          guard case .integer(let number)? = change.newValue, number < 1000 else { return }
          store.set(Int(number) + 1, forKey: other)
        }
      }
      store.set(1, forKey: "a")
      withExtendedLifetime(tokens) {}
    }
    #expect(end.join())
    #expect(store.integer(forKey: "b") == 1000)
    #expect(store.integer(forKey: "a") == 999)
  }

  @Test("A chain of a thousand observers does not exhaust the stack")
  func chain() throws {
    let store = try StoreFixture(.memory).store
    let end = TestThread(stackSize: Self.smallStack) {
      let tokens = (0..<1000).map { number in
        store.observe("\(number)") { change in store.put(change.newValue, forKey: "\(number + 1)") }
      }
      store.set(1, forKey: "0")
      #expect(store.integer(forKey: "1000") == 1)
      store.removeObject(forKey: "0")
      #expect(!store.containsValue(forKey: "1000"))
      withExtendedLifetime(tokens) {}
    }
    #expect(end.join())
  }

  @Test("An observer that writes its own key repeatedly does not exhaust the stack")
  func ownKey() throws {
    let store = try StoreFixture(.memory).store
    let end = TestThread(stackSize: Self.smallStack) {
      let recorder = ChangeRecorder(store, initial: true) { _, _ in
        let number = store.integer(forKey: "k")
        if number < 1000 { store.set(number + 1, forKey: "k") }
      }
      #expect(recorder.all.count == 1001)
      #expect(recorder.all.isChain())
    }
    #expect(end.join())
    #expect(store.integer(forKey: "k") == 1000)
  }

  @Test("The notification hook can be called without end")
  func hook() throws {
    let hook = PreferencesStore.ChangeHook()
    let count = Lock(0)
    hook.set { _ in count.withLock { $0 += 1 } }
    let end = TestThread(stackSize: Self.smallStack) {
      let store = PreferencesStore.inMemory()
      for _ in 0..<20_000 { hook.call(store) }
    }
    #expect(end.join())
    #expect(count.withLock { $0 } == 20_000)
  }

  // MARK: Updates

  @Test("Writes of an update's body to other domains are delivered after its return")
  func update() throws {
    let fixture = try StoreFixture()
    let (store, other) = (fixture.store, try fixture.store("other"))
    let own = ChangeRecorder(store)
    let recorder = ChangeRecorder(other) { _, _ in
      // This would deadlock if the update held a lock.
      #expect(store.synchronize())
      #expect((try? store.update { $0["nested"] = 1 }) != nil)
    }
    try store.update { values in
      values["k"] = 1
      other.set(1, forKey: "k")
      try other.update { $0["k"] = 2 }
      try other.flush()
      #expect(other.integer(forKey: "k") == 2)
      #expect(recorder.all == [] && own.all == [])
    }
    #expect(recorder.take() == [PreferencesChange(nil, 1), PreferencesChange(1, 2)])
    #expect(own.take() == [PreferencesChange(nil, 1)])
    #expect(throws: CancellationError.self) {
      try store.update { values in
        other.set(3, forKey: "k")
        throw CancellationError()
      }
    }
    #expect(recorder.take() == [PreferencesChange(2, 3)])
    try other.flush()
  }

  @Test("An update's body may observe, read and track every key", arguments: Backing.allCases)
  func observeInUpdate(backing: Backing) throws {
    let fixture = try StoreFixture(backing)
    let store = fixture.store
    let recorder = Lock<ChangeRecorder?>(nil)
    try store.update { values in
      let new = ChangeRecorder(store, initial: true)
      #expect(new.take() == [PreferencesChange(nil, nil)])
      recorder.withLock { $0 = new }
      _ = store.observableValue(forKey: "k")
      _ = store.changes(forKey: "k", initial: true)
      _ = store.plistRepresentation
      _ = store.origins(forKey: "k")
      values["k"] = 1
    }
    #expect(recorder.withLock { $0 }?.take() == [PreferencesChange(nil, 1)])
  }

  #if DEBUG
    @Test("Calling an observer with a lock held is detected")
    func heldLocks() async {
      await #expect(processExitsWith: .failure) {
        let store = PreferencesStore.inMemory()
        let token = store.observe("k") { _ in exit(0) }
        Lock(0).withLock { _ in store.set(1, forKey: "k") }
        withExtendedLifetime(token) {}
      }
    }
  #endif
}
