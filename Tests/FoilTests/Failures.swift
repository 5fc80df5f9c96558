import Foil
import Foundation
import Threading

/// The failures of a key, which no other test uses.
final class Failures: Sendable {
  let key = UUID().uuidString
  private let failures = Lock<[TypedPreferenceError]>([])

  init() {
    TypedPreferenceError.onFailure { [weak self, key] failure in
      guard failure.key == key else { return }
      self?.failures.withLock { $0.append(failure) }
    }
  }

  /// What they say behind the domain and the key.
  var texts: [String] {
    failures.withLock { $0 }.map { failure in
      failure.description.replacing("\(failure.domain), \(key): ", with: "")
    }
  }
}
