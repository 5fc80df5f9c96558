import Foundation
import PropertyList
import TestSupport
import Testing

import Threading
@testable import Preferences

@Suite("Values that use the store while they are released")
struct ValueLifetimeTests {
  /// Bytes that run a closure when they are released.
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

  @Test("Values may use the store while they are released", arguments: Backing.allCases)
  func values(backing: Backing) throws {
    let fixture = try StoreFixture(backing)
    let store = fixture.store
    let count = Lock(0)
    let end = TestThread {
      let body: @Sendable () -> Void = {
        count.withLock { $0 += 1 }
        _ = store.plistValue(forKey: "k")
        store.set(0, forKey: "released")
        _ = ChangeRecorder(store, "k", initial: true)
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
    #expect(end.join())
    #expect(eventually { count.withLock { $0 } == 8 })
  }

  @Test("Values may use the store when released after equal ones were read from the file")
  func equalValues() throws {
    let fixture = try StoreFixture()
    let store = fixture.store
    let isReleased = Latch()
    let end = TestThread {
      do {
        store.set(
          Self.data {
            _ = store.plistValue(forKey: "k")
            store.set(0, forKey: "released")
            isReleased.open()
          }, forKey: "k")
        try store.flush()
        // Another process writes the same value again, and another key.
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
    #expect(end.join())
    #expect(isReleased.wait())
  }

  @Test("Registered values may use the store when replaced by equal ones")
  func equalRegisteredValues() throws {
    let store = try StoreFixture(.memory).store
    let isReleased = Latch()
    let end = TestThread {
      func bytes() -> PlistValue { .data(Data(repeating: 7, count: 100)) }
      store.register(
        defaults: [
          "k": Self.data {
            _ = store.plistValue(forKey: "k")
            isReleased.open()
          }
        ])
      store.setVolatileDomain(
        ["k": bytes(), "other": 1], forName: PreferencesStore.registrationDomain)
      store.register(defaults: ["k": "new"])
    }
    #expect(end.join())
    #expect(isReleased.wait())
  }

  @Test("Values of a suite may change the suites when the suite is released")
  func valuesOfASuite() throws {
    let fixture = try StoreFixture()
    let store = fixture.store
    let isReleased = Latch()
    let end = TestThread {
      do {
        var suite: PreferencesStore? = try fixture.store("suite")
        suite?.set(
          Self.data {
            store.addSuite(named: "another")
            isReleased.open()
          }, forKey: "k")
        try suite?.flush()
        store.addSuite(named: "suite")
        weak let file = suite?.user
        suite = nil
        // The scheduler keeps the file for a moment.
        #expect(eventually { !PreferencesEngine.process.unsavedFiles.contains { $0 === file } })
        store.removeSuite(named: "suite")
      } catch {
        Issue.record(error)
      }
    }
    #expect(end.join())
    #expect(isReleased.wait())
    #expect(store.searchList.entries.contains { $0.layer.domain == "another" })
  }
}
