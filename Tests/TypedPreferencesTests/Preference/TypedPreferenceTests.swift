import Foundation
import Preferences
import PropertyList
import TestSupport
import Testing

@testable import TypedPreferences

@Suite("A typed preference reports values that cannot be read or stored")
struct TypedPreferenceTests {
  @Test("A value that cannot be read is reported once, however often it is read")
  func once() {
    let (log, store) = (ErrorLog(), PreferencesStore.inMemory())
    let preference = TypedPreference(log.key, in: store, coder: Int.plistCoder) { 7 }
    for _ in 1...3 {
      store.set("a", forKey: log.key)
      #expect(preference.value == 7)
      #expect(preference.value == 7)
    }
    store.set(true, forKey: log.key)
    #expect(preference.value == 7)
    #expect(
      log.messages == [
        "cannot be read: expected an integer, found a string",
        "cannot be read: expected an integer, found a boolean",
      ])
    #expect(store.plistValue(forKey: log.key) == true)
  }

  @Test("A value of a type whose decoded values are cached is reported once, too")
  func onceIfCached() {
    let (log, store) = (ErrorLog(), PreferencesStore.inMemory())
    let preference = TypedPreference(
      log.key, in: store, coder: PlistCoder<[Int]>.standardOrUntyped()
    ) { [7] }
    store.set([1, "a"], forKey: log.key)
    #expect(preference.value == [1])
    #expect(preference.value == [1])
    store.set([1, 2], forKey: log.key)
    #expect(preference.value == [1, 2])
    #expect(preference.value == [1, 2])
    #expect(log.messages == ["cannot be read: expected an integer, found a string (at 1)"])
  }

  @Test("A value that many threads read at once is reported once")
  func threads() {
    let (log, store) = (ErrorLog(), PreferencesStore.inMemory())
    let preference = TypedPreference(log.key, in: store, coder: Int.plistCoder) { 7 }
    store.set("a", forKey: log.key)
    DispatchQueue.concurrentPerform(iterations: 16) { _ in _ = preference.value }
    #expect(log.messages.count == 1)
  }

  @Test("A publisher sends the default for a value that cannot be read")
  func publisher() {
    let (log, store) = (ErrorLog(), PreferencesStore.inMemory())
    let preference = TypedPreference(log.key, in: store, coder: Int.plistCoder) { 7 }
    let received = Recorder<Int>()
    let subscription = preference.publisher().sink { received.record($0) }
    store.set(1, forKey: log.key)
    store.set("a", forKey: log.key)
    store.removeObject(forKey: log.key)
    subscription.cancel()
    store.set(2, forKey: log.key)
    #expect(received.all == [7, 1, 7, 7])
    #expect(log.messages.count == 1)
  }
}
