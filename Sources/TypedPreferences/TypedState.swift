internal import FileStorage
internal import Preferences
internal import PropertyList

/// What is known of a typed preference besides what its store holds: the same for all who use the same key
/// with the same type in the same store.
final class TypedState<Value>: @unchecked Sendable {
  // Sendable because what varies is behind a lock, and because values that are kept are such of which each
  // thread has a copy of its own.

  /// What is known of the value that is stored.
  enum Decoded {
    case nothing
    /// What it is decoded.
    case value(Value, of: PlistValue)
    /// That it cannot be decoded, which has been reported.
    case failure(PlistValue)
  }

  private let lock = Lock<Decoded>(.nothing)
  let tracking: TrackedPreference

  private init(_ name: String) {
    tracking = TrackedPreference(name)
  }

  /// The state of a key with this type in a store.
  static func of(_ name: String, in store: PreferencesStore) -> TypedState {
    store.companion(of: name) { TypedState(name) }
  }

  /// What is known of the value that is stored.
  var decoded: Decoded { lock.withLock { $0 } }

  /// Notes what is known of it.
  func note(_ new: consuming Decoded) {
    // The old one is let go of when the lock is not held any more: its value is the user's.
    lock.withLock { swap(&$0, &new) }
  }
}
