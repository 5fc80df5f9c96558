internal import Preferences
internal import PropertyList
internal import Threading

/// The state of a typed preference in addition to its store: decoded values, values that cannot be
/// decoded, and its observable object. It is shared by all preferences with the same key, type and
/// store.
///
/// Only values whose copies are independent are cached, since any thread may receive them.
final class TypedPreferenceState<Value>: Sendable {
  private struct Cache {
    /// Decoded values, the latest last.
    var entries: [Entry] = []
    /// The last stored value, if all of it can be decoded.
    var written: PlistValue?
    /// Stored values whose decoding failure has been reported, the latest last.
    var failures: [PlistValue] = []
    /// The elements that could not be decoded when a collection was last decoded in part.
    var unreadable: Set<PlistValue> = []
    /// Whether a default has been registered, and older values converted, in a store that replaces
    /// another store.
    var isRegistered = false
  }

  private struct Entry {
    var stored: PlistValue
    var value: Value
    var isComplete: Bool
  }

  private let cache = Lock(Cache())
  let tracker = Tracker()

  /// The number of values that are cached: an observer of a change needs two.
  private static var limit: Int { 2 }

  private init() {}

  /// Returns the state of a key with this type in a store, and creates it if there is none yet.
  static func shared(_ name: String, in store: PreferencesStore) -> TypedPreferenceState {
    store.companion(of: name) { TypedPreferenceState() }
  }

  /// Records that a default is registered with a store that replaces another store.
  ///
  /// - Returns: Whether that had not been done before.
  func beginRegistration() -> Bool {
    cache.withLock { !exchange(&$0.isRegistered, with: true) }
  }

  func value(of stored: PlistValue) -> Value? {
    cache.withLock { cache in cache.entries.last { $0.stored == stored }?.value }
  }

  /// Whether all of a stored value is known to be decodable.
  func isComplete(_ stored: PlistValue) -> Bool {
    cache.withLock { cache in
      cache.written == stored || cache.entries.last { $0.stored == stored }?.isComplete == true
    }
  }

  /// Records a fully decodable value that is about to be stored.
  func recordWriting(_ plist: PlistValue) {
    let old = cache.withLock { exchange(&$0.written, with: plist) }
    withExtendedLifetime(old) {}
  }

  /// Caches the decoded value of a stored form.
  func cache(_ value: Value, of stored: PlistValue, isComplete: Bool = true) {
    // The evicted value is released outside the lock, because its deinitializer is the user's code.
    let evicted = cache.withLock { cache in
      cache.entries.append(Entry(stored: stored, value: value, isComplete: isComplete))
      return cache.entries.count > Self.limit ? cache.entries.removeFirst() : nil
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

  /// Records the elements of a stored collection that cannot be decoded.
  ///
  /// - Returns: The elements that had not been recorded when a collection was last decoded in part.
  func recordFailures(of elements: [UnreadableElement]) -> [UnreadableElement] {
    let (old, new) = cache.withLock { cache in
      let old = cache.unreadable
      cache.unreadable = Set(elements.map(\.stored))
      return (old, elements.filter { !old.contains($0.stored) })
    }
    withExtendedLifetime(old) {}
    return new
  }
}
