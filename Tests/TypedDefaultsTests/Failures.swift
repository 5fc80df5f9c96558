import Threading
import TypedDefaults

/// The failures of a key, which no other test uses at the time.
final class Failures: Sendable {
  private let failures = Lock<[TypedPreferenceError]>([])

  init(_ key: String) {
    TypedPreferenceError.onFailure { [weak self] failure in
      guard failure.key == key else { return }
      self?.failures.withLock { $0.append(failure) }
    }
  }

  /// What they say.
  var texts: [String] { failures.withLock { $0 }.map(\.description) }
}
