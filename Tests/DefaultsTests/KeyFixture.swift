import Defaults
import Foundation
import PropertyList
import TestSupport
import TypedPreferences

/// A store in memory and a unique key name.
struct KeyFixture {
  let store: PreferencesStore
  let name = "key-" + UUID().uuidString

  init(store: PreferencesStore = .inMemory()) {
    _ = FailureLog.shared
    self.store = store
  }

  /// Creates a store in memory with a stored value.
  init(stored: PlistValue) {
    self.init()
    store.set(stored, forKey: name)
  }

  /// The value stored in the store's own domain.
  var stored: PlistValue? {
    store.origins(forKey: name).first { $0.layer.kind == .user }?.value
  }

  /// The reported failures of the key.
  var failures: [Defaults.Failure] { FailureLog.shared.failures(of: name) }

  /// The texts of the reported failures, without domain and key.
  var reports: [String] {
    failures.map { failure in
      String("\(failure)".dropFirst("\(failure.domain), \(name): ".count))
    }
  }

  func key<Value: Defaults.Serializable>(default value: Value) -> Defaults.Key<Value> {
    Defaults.Key(name, default: value, suite: store)
  }

  /// Replaces the stored value, and returns whether another key reads it back without failures.
  func keeps<Value: Defaults.Serializable & Equatable>(
    _ value: Value, default other: Value
  ) -> Bool {
    store.removeObject(forKey: name)
    Defaults[key(default: other)] = value
    return Defaults[key(default: other)] == value && failures.isEmpty
  }
}

/// The failures that the process has reported.
final class FailureLog: Sendable {
  static let shared = FailureLog()

  private let all = Recorder<Defaults.Failure>()

  private init() {
    Defaults.onFailure { [all] failure in all.record(failure) }
  }

  func failures(of name: String) -> [Defaults.Failure] { all.all.filter { $0.key == name } }
}
