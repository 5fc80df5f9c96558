internal import Foundation
internal import Threading
package import TypedPreferences

/// Records the errors that typed preferences report for a key.
package final class ErrorLog: Sendable {
  /// The key, which no other test must use at the same time.
  package let key: String
  private let recorded = Lock<[TypedPreferenceError]>([])

  package init(key: String = UUID().uuidString) {
    self.key = key
    TypedPreferenceError.onFailure { [weak self] error in
      guard error.key == key else { return }
      self?.recorded.withLock { $0.append(error) }
    }
  }

  package var errors: [TypedPreferenceError] { recorded.withLock { $0 } }

  /// The texts of the errors.
  package var texts: [String] { errors.map(\.description) }

  /// The texts of the errors without the domain and the key that they begin with.
  package var messages: [String] {
    errors.map { $0.description.replacing("\($0.domain), \(key): ", with: "") }
  }
}
