internal import Preferences
internal import PropertyList
internal import Threading

/// The state of a typed preference beside its store: decoded values, values that cannot be decoded,
/// and its observable object. Shared by all preferences with the same key, type and store.
final class TypedPreferenceState<Value>: @unchecked Sendable {
  // Sendable because all mutable state is behind a lock, and because only values whose copies are
  // independent are cached.

  private struct Cache {
    /// The stored forms of the decoded values, the latest last.
    var stored: [PlistValue] = []
    /// The decoded values.
    var values: [Value] = []
    /// Stored values that could not be decoded, which has been reported, the latest last.
    var failures: [PlistValue] = []
  }

  private let cache = Lock(Cache())
  let tracking: TrackedPreference

  /// The number of values that are cached: an observer of a change needs two.
  private static var limit: Int { 2 }

  private init(_ name: String) {
    tracking = TrackedPreference(name)
  }

  /// Returns the state of a key with this type in a store, and creates it if there is none yet.
  static func shared(_ name: String, in store: PreferencesStore) -> TypedPreferenceState {
    store.companion(of: name) { TypedPreferenceState(name) }
  }

  /// Returns the cached value of a stored one; nil if there is none.
  func value(of stored: PlistValue) -> Value? {
    cache.withLock { cache in cache.stored.lastIndex(of: stored).map { cache.values[$0] } }
  }

  /// Caches the decoded value of a stored one.
  func cache(_ value: Value, of stored: PlistValue) {
    // The evicted value is released outside of the lock: its deinitializer is the user's code.
    let evicted = cache.withLock { cache in
      cache.stored.append(stored)
      cache.values.append(value)
      if cache.values.count <= Self.limit { return nil as (Value, PlistValue)? }
      return (cache.values.removeFirst(), cache.stored.removeFirst())
    }
    withExtendedLifetime(evicted) {}
  }

  /// Records that a stored value cannot be decoded.
  ///
  /// - Returns: Whether that had not been recorded yet.
  func recordFailure(of stored: PlistValue) -> Bool {
    let (isNew, evicted) = cache.withLock { cache -> (Bool, PlistValue?) in
      if cache.failures.contains(stored) { return (false, nil) }
      cache.failures.append(stored)
      return (true, cache.failures.count > Self.limit ? cache.failures.removeFirst() : nil)
    }
    withExtendedLifetime(evicted) {}
    return isNew
  }
}
