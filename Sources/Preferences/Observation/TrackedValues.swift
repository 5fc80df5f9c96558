internal import Observation
internal import Threading

/// The keys of a store that the Observation framework tracks.
final class TrackedValues: Sendable {
  private struct State {
    var values: [ByteKey: TrackedValue] = [:]
  }

  private let state = Lock(State())

  /// Registers a key with the current tracking.
  func access(_ key: String, of list: SearchList) {
    let value =
      state.withLock { $0.values[ByteKey(key)] }
      ?? Delivery.batchingNotifications {
        // The files are read before the lock is held.
        _ = list.entries
        return state.withLock { state in
          if let value = state.values[ByteKey(key)] { return value }
          // Created under the lock, so that a thread that finds it here finds it observing.
          let value = TrackedValue(key, of: list)
          state.values[ByteKey(key)] = value
          return value
        }
      }
    value.access()
  }
}

/// The value of a key as an observable object.
private final class TrackedValue: Observable, Sendable {
  private let registrar = ObservationRegistrar()
  private let observation = Lock<PreferencesObservation?>(nil)

  /// Stands for the value and holds nothing.
  private var value: Void { () }
  /// Created once, because creating a key path costs more than all the rest.
  private static let path = \TrackedValue.value

  init(_ key: String, of list: SearchList) {
    let observer = Observer { [weak self] _ in
      guard let self else { return }
      registrar.withMutation(of: self, keyPath: Self.path) {}
    }
    observation.withLock { $0 = list.register(observer, keys: [key]) }
  }

  func access() {
    registrar.access(self, keyPath: Self.path)
  }
}
