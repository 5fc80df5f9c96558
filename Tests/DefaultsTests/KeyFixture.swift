import Defaults
import Foundation
import PropertyList
import TypedPreferences

/// A store in memory, and a key name in it that no other test has.
struct KeyFixture {
  let store: PreferencesStore
  let name = "key-" + UUID().uuidString

  init(store: PreferencesStore = .inMemory()) {
    _ = FailureLog.shared
    self.store = store
  }

  /// A store in memory in which something is stored under the name.
  init(stored: PlistValue) {
    self.init()
    store.set(stored, forKey: name)
  }

  /// What is stored under the name in the store's own domain.
  var stored: PlistValue? {
    store.origins(forKey: name).first { $0.layer.kind == .user }?.value
  }

  /// What has been reported of the name.
  var failures: [Defaults.Failure] { FailureLog.shared.failures(of: name) }

  /// The texts of what has been reported of the name, from behind the name on.
  var reports: [String] {
    failures.map { failure in
      String("\(failure)".dropFirst("\(failure.domain), \(name): ".count))
    }
  }

  func key<Value: Defaults.Serializable>(default value: Value) -> Defaults.Key<Value> {
    Defaults.Key(name, default: value, suite: store)
  }

  /// Whether a value comes back as it was, through another key object.
  func keeps<Value: Defaults.Serializable & Equatable>(
    _ value: Value, default other: Value
  ) -> Bool {
    Defaults[key(default: other)] = value
    return Defaults[key(default: other)] == value && failures.isEmpty
  }
}

/// All that the process reports.
final class FailureLog: Sendable {
  static let shared = FailureLog()

  private let lock = NSLock()
  nonisolated(unsafe) private var all: [Defaults.Failure] = []

  private init() {
    Defaults.onFailure { [weak self] failure in
      guard let self else { return }
      lock.withLock { all.append(failure) }
    }
  }

  func failures(of name: String) -> [Defaults.Failure] {
    lock.withLock { all.filter { $0.key == name } }
  }
}
