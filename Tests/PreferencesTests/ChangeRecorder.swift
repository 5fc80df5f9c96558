import PropertyList
import TestSupport
import Threading

@testable import Preferences

extension PreferencesChange {
  /// A change of the key that most tests use.
  init(_ old: PlistValue?, _ new: PlistValue?, of key: String = "k") {
    self.init(key: key, oldValue: old, newValue: new)
  }
}

/// An observer that records changes until it is released or canceled.
final class ChangeRecorder: Sendable {
  private let changes = Recorder<PreferencesChange>()
  private let token = Lock<PreferencesObservation?>(nil)

  private init() {}

  /// Observes a key.
  ///
  /// - Parameter body: Called with each change after it has been recorded.
  convenience init(
    _ store: PreferencesStore, _ key: String = "k", initial: Bool = false,
    _ body: @escaping @Sendable (ChangeRecorder, PreferencesChange) -> Void = { _, _ in }
  ) {
    self.init()
    keep(store.observe(key, initial: initial) { [weak self] in self?.record($0, body) })
  }

  /// Observes several keys.
  convenience init(_ store: PreferencesStore, keys: [String], initial: Bool = false) {
    self.init()
    keep(store.observe(keys, initial: initial) { [weak self] in self?.record($0) })
  }

  /// Observes all keys.
  convenience init(allOf store: PreferencesStore) {
    self.init()
    keep(store.observeAll { [weak self] in self?.record($0) })
  }

  private func record(
    _ change: PreferencesChange, _ body: (ChangeRecorder, PreferencesChange) -> Void = { _, _ in }
  ) {
    changes.record(change)
    body(self, change)
  }

  private func keep(_ new: PreferencesObservation) { token.withLock { $0 = new } }

  func cancel() { token.withLock { $0 }?.cancel() }

  /// The changes that have not been taken.
  var all: [PreferencesChange] { changes.all }

  /// Removes and returns all changes.
  func take() -> [PreferencesChange] { changes.take() }

  /// The new value of the last change.
  var last: PlistValue? { all.last?.newValue }
}

extension [PreferencesChange] {
  /// Whether each change begins with the last value of the previous one.
  ///
  /// - Parameter first: The old value of the first change.
  func isChain(from first: PlistValue? = nil) -> Bool {
    var last = first
    for change in self {
      if change.oldValue != last { return false }
      last = change.newValue
    }
    return true
  }
}
