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
    var value = state.withLock { $0.values[ByteKey(key)] }
    if value == nil {
      // Created with no lock held, because files may have to be read; of two created at the same
      // time the first one stays. A thread that finds one here finds it observing.
      let new = TrackedValue(key, of: list)
      value = state.withLock { state in
        if let known = state.values[ByteKey(key)] { return known }
        state.values[ByteKey(key)] = new
        return new
      }
    }
    value?.access()
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
    let new = list.register(observer, keys: [key])
    observation.withLock { $0 = new }
  }

  func access() {
    registrar.access(self, keyPath: Self.path)
  }
}
