internal import Preferences
internal import PropertyList
internal import Threading

/// What is known of a typed preference besides what its store holds: the same for all who use the same key
/// with the same type in the same store.
final class TypedState<Value>: @unchecked Sendable {
  // Sendable because what varies is behind a lock, and because values that are kept are such of which each
  // thread has a copy of its own.

  /// What has been made of stored values.
  private struct Known {
    /// Stored values that have been decoded, the latest last.
    var stored: [PlistValue] = []
    /// What they are decoded.
    var values: [Value] = []
    /// Stored values that cannot be decoded, which has been reported, the latest last.
    var failures: [PlistValue] = []
  }

  private let known = Lock(Known())
  let tracking: TrackedPreference

  /// How many are known: who hears of a change needs two.
  private static var limit: Int { 2 }

  private init(_ name: String) {
    tracking = TrackedPreference(name)
  }

  /// The state of a key with this type in a store.
  static func of(_ name: String, in store: PreferencesStore) -> TypedState {
    store.companion(of: name) { TypedState(name) }
  }

  /// What has been decoded from a stored value.
  func value(of stored: PlistValue) -> Value? {
    known.withLock { known in known.stored.lastIndex(of: stored).map { known.values[$0] } }
  }

  /// Keeps what has been decoded from a stored value.
  func keep(_ value: Value, of stored: PlistValue) {
    // What goes is let go of when the lock is not held any more: it is the user's.
    let old = known.withLock { known in
      known.stored.append(stored)
      known.values.append(value)
      if known.values.count <= Self.limit { return nil as (Value, PlistValue)? }
      return (known.values.removeFirst(), known.stored.removeFirst())
    }
    withExtendedLifetime(old) {}
  }

  /// Notes that a stored value cannot be decoded.
  ///
  /// - Returns: Whether that was not known.
  func noteFailure(of stored: PlistValue) -> Bool {
    let (isNew, old) = known.withLock { known -> (Bool, PlistValue?) in
      if known.failures.contains(stored) { return (false, nil) }
      known.failures.append(stored)
      return (true, known.failures.count > Self.limit ? known.failures.removeFirst() : nil)
    }
    withExtendedLifetime(old) {}
    return isNew
  }
}
