internal import Observation
internal import Threading

/// The keys of a store that the Observation framework tracks.
final class TrackedValues: Sendable {
  private let values = Lock<[ByteKey: TrackedValue]>([:])

  /// Notes that the present tracking depends on a key.
  func access(_ key: String, of list: SearchList) {
    let value =
      values.withLock { $0[ByteKey(key)] }
      ?? Delivery.collecting {
        values.withLock { values in
          if let value = values[ByteKey(key)] { return value }
          // Within the lock, so that whoever finds it here finds it at work.
          let value = TrackedValue(key, of: list)
          values[ByteKey(key)] = value
          return value
        }
      }
    value.access()
  }
}

/// A value as the Observation framework sees it.
private final class TrackedValue: Observable, Sendable {
  private let registrar = ObservationRegistrar()
  private let observation = Lock<PreferencesObservation?>(nil)

  /// What stands for the value. It holds nothing.
  private var value: Void { () }
  /// Made once: to make a key path costs more than all the rest.
  private static let path = \TrackedValue.value

  init(_ key: String, of list: SearchList) {
    let observer = Observer { [weak self] _ in
      guard let self else { return }
      registrar.withMutation(of: self, keyPath: Self.path) {}
    }
    list.add(observer, keys: [key], initial: false)
    observation.withLock { $0 = PreferencesObservation(list, observer, keys: [key]) }
  }

  func access() {
    registrar.access(self, keyPath: Self.path)
  }
}
