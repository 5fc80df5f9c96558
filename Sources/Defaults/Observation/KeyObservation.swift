internal import Preferences
internal import PropertyList
internal import Threading

/// An observation of keys, which lasts until it is released or invalidated:
/// ``Defaults/Observation``.
public protocol DefaultsObservation: AnyObject, Sendable {
  /// Ends the observation: no further call begins, but one on another thread may still be in
  /// progress. Further calls have no effect.
  func invalidate()

  /// Retains the observation for the lifetime of an object, and ends it with the object.
  ///
  /// The object is not retained. It replaces the object of an earlier call.
  @discardableResult
  func tieToLifetime(of object: AnyObject) -> Self

  /// Undoes ``tieToLifetime(of:)``: the caller must retain the observation. This has no effect if
  /// the object has been released already.
  func removeLifetimeTie()
}

extension Defaults {
  /// An observation of keys, which lasts until it is released or invalidated.
  public typealias Observation = DefaultsObservation
}

/// An observation of keys, which may be in several stores.
final class KeyObservation: DefaultsObservation {
  private struct State {
    var observations: [PreferencesObservation] = []
    var isInvalid = false
    var isTied = false
    /// The object of a lifetime tie; nil if it has been released.
    weak var object: AnyObject?
  }

  private let state = Lock(State())

  /// - Parameters:
  ///   - isolation: The actor that calls the handler.
  ///   - handler: Receives each change of any of the keys; `isPrior` if a second call follows.
  init(
    of keys: [Defaults._AnyKey.Observed], _ options: Defaults.ObservationOptions,
    on isolation: Isolation,
    _ handler: @escaping @Sendable (_ change: PreferencesChange, _ isPrior: Bool) -> Void
  ) {
    for (store, names) in keys.namesByStore {
      let observation = store.observe(
        names, initial: options.contains(.initial), on: isolation
      ) { [weak self] change, isSuppressed in
        if isSuppressed || keys.keepValues(change, of: store) { return }
        // The values are equal in initial calls only.
        if options.contains(.prior), change.oldValue != change.newValue {
          self?.call { handler(change, true) }
        }
        self?.call { handler(change, false) }
      }
      state.withLock { $0.observations.append(observation) }
    }
  }

  /// Calls a closure unless the observation has ended.
  private func call(_ body: () -> Void) {
    if hasEnded { invalidate() } else { body() }
  }

  /// Whether it is invalid, or the object it is tied to has been released.
  var hasEnded: Bool {
    // Released outside the lock: the strong reference made here may be the last one to the object.
    let (isInvalid, isTied, object) = state.withLock { ($0.isInvalid, $0.isTied, $0.object) }
    return isInvalid || isTied && object == nil
  }

  func invalidate() {
    let observations = state.withLock { state in
      defer { state = State(isInvalid: true) }
      return state.observations
    }
    for observation in observations { observation.cancel() }
    LifetimeTies.shared.remove(self)
  }

  func tieToLifetime(of object: AnyObject) -> Self {
    let isTied = state.withLock { state in
      if state.isInvalid { return false }
      (state.isTied, state.object) = (true, object)
      return true
    }
    if isTied { LifetimeTies.shared.add(self) }
    return self
  }

  func removeLifetimeTie() {
    if hasEnded { return invalidate() }
    state.withLock { ($0.isTied, $0.object) = (false, nil) }
    LifetimeTies.shared.remove(self)
  }
}

/// The observations that are retained because their lifetimes are tied to objects.
///
/// Nothing reports the end of an object. An observation checks its object at its next change, and
/// all objects are checked whenever the number of observations has doubled since the last check, so
/// that the number of observations is bounded by the number of live objects.
private final class LifetimeTies: Sendable {
  static let shared = LifetimeTies()

  private struct State {
    var observations: [ObjectIdentifier: KeyObservation] = [:]
    /// With more observations than this, all objects are checked.
    var limit = LifetimeTies.minimumLimit
  }

  private static let minimumLimit = 32

  private let state = Lock(State())

  func add(_ observation: KeyObservation) {
    let all = state.withLock { state -> [KeyObservation] in
      state.observations[ObjectIdentifier(observation)] = observation
      return state.observations.count > state.limit ? Array(state.observations.values) : []
    }
    if all.isEmpty { return }
    for observation in all where observation.hasEnded { observation.invalidate() }
    state.withLock { $0.limit = max(Self.minimumLimit, 2 * $0.observations.count) }
  }

  func remove(_ observation: KeyObservation) {
    let removed = state.withLock {
      $0.observations.removeValue(forKey: ObjectIdentifier(observation))
    }
    // Released outside the lock.
    withExtendedLifetime(removed) {}
  }
}

extension Defaults._AnyKey {
  /// A key, in the store that it has when its observation begins.
  struct Observed: Sendable {
    var name: String
    var suite: PreferencesStore
    /// Returns whether a change of the stored form leaves the value equal.
    var keepsValue: @Sendable (PreferencesChange) -> Bool
  }

  var observed: Observed { Observed(name: name, suite: suite, keepsValue: keepsValue) }
}

extension [Defaults._AnyKey.Observed] {
  /// The names of the keys grouped by store, in the order the stores first occur.
  var namesByStore: [(store: PreferencesStore, names: [String])] {
    var result: [(store: PreferencesStore, names: [String])] = []
    for key in self {
      if let index = result.firstIndex(where: { $0.store === key.suite }) {
        result[index].names.append(key.name)
      } else {
        result.append((key.suite, [key.name]))
      }
    }
    return result
  }

  /// Returns whether a change of a store leaves the values of all keys equal.
  func keepValues(_ change: PreferencesChange, of store: PreferencesStore) -> Bool {
    allSatisfy { key in
      key.suite !== store || !key.name.hasSameBytes(as: change.key) || key.keepsValue(change)
    }
  }
}
