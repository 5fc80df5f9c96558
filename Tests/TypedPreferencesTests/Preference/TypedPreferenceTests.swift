import Foundation
import Preferences
import PropertyList
import Testing

import Threading
@testable import TypedPreferences

@Suite("A typed preference reports what cannot be read or stored")
struct TypedPreferenceTests {
  /// The failures of a key, which no other test uses.
  private final class Failures: Sendable {
    let key = UUID().uuidString
    private let failures = Lock<[TypedPreferenceError]>([])

    init() {
      TypedPreferenceError.onFailure { [weak self, key] failure in
        guard failure.key == key else { return }
        self?.failures.withLock { $0.append(failure) }
      }
    }

    /// What they say behind the key.
    var texts: [String] {
      failures.withLock { $0 }.map { $0.description.replacing("InMemory, \(key): ", with: "") }
    }
  }

  @Test("Each value that cannot be read is reported once, although it is read again")
  func once() {
    let (failures, store) = (Failures(), PreferencesStore.inMemory())
    let preference = TypedPreference(failures.key, in: store, coder: PlistCoder<Int>.integer()) {
      7
    }
    for _ in 1...3 {
      store.set("a", forKey: failures.key)
      #expect(preference.value == 7)
      #expect(preference.value == 7)
    }
    store.set(true, forKey: failures.key)
    #expect(preference.value == 7)
    #expect(
      failures.texts == [
        "cannot be read: expected an integer, found a string",
        "cannot be read: expected an integer, found a boolean",
      ])
    #expect(store.plistValue(forKey: failures.key) == true)
  }

  @Test("So is one whose decoded value would be kept")
  func onceOfCostly() {
    let (failures, store) = (Failures(), PreferencesStore.inMemory())
    let preference = TypedPreference(
      failures.key, in: store, coder: PlistCoder<[Int]>.resolved()
    ) { [7] }
    store.set([1, "a"], forKey: failures.key)
    #expect(preference.value == [7])
    #expect(preference.value == [7])
    store.set([1, 2], forKey: failures.key)
    #expect(preference.value == [1, 2])
    #expect(preference.value == [1, 2])
    #expect(failures.texts == ["cannot be read: expected an integer, found a string (at 1)"])
  }

  @Test("Many threads that read it at once report it once")
  func threads() {
    let (failures, store) = (Failures(), PreferencesStore.inMemory())
    let preference = TypedPreference(failures.key, in: store, coder: PlistCoder<Int>.integer()) {
      7
    }
    store.set("a", forKey: failures.key)
    DispatchQueue.concurrentPerform(iterations: 16) { _ in _ = preference.value }
    #expect(failures.texts.count == 1)
  }

  @Test("A publisher gives the default for such, and is told of what is stored directly")
  func publisher() {
    let (failures, store) = (Failures(), PreferencesStore.inMemory())
    let preference = TypedPreference(failures.key, in: store, coder: PlistCoder<Int>.integer()) {
      7
    }
    let received = Received(preference.publisher())
    store.set(1, forKey: failures.key)
    store.set("a", forKey: failures.key)
    store.removeObject(forKey: failures.key)
    received.cancel()
    store.set(2, forKey: failures.key)
    #expect(received.values == [7, 1, 7, 7])
    #expect(failures.texts.count == 1)
  }
}
