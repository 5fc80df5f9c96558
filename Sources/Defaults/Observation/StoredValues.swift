internal import Preferences
internal import PropertyList
internal import Threading

/// The latest stored values of several keys, combined from the changes of the stores of the keys.
final class StoredValues: Sendable {
  private struct State {
    /// One value for each key; nil if nothing is stored.
    var values: [PlistValue?]
    /// The positions of the keys whose values have not been reported yet.
    var unknown: Set<Int>
    /// The calls that send the combined values.
    var calls = SerialQueue()
  }

  private let keys: [Defaults._AnyKey.Observed]
  private let initial: Bool
  private let send: @Sendable ([PlistValue?]) -> Void
  private let state: Lock<State>

  /// - Parameters:
  ///   - initial: Whether the current values are also sent.
  ///   - send: Receives all values after each change. Calls do not overlap.
  init(
    of keys: [Defaults._AnyKey], initial: Bool, send: @escaping @Sendable ([PlistValue?]) -> Void
  ) {
    self.keys = keys.map(\.observed)
    self.initial = initial
    self.send = send
    state = Lock(
      State(values: Array(repeating: nil, count: keys.count), unknown: Set(keys.indices)))
    if keys.isEmpty, initial { send([]) }
  }

  /// Starts observing the stores.
  func observe() -> [PreferencesObservation] {
    keys.namesByStore.map { store, names in
      store.observe(names, initial: true) { change, isSuppressed in
        self.apply(change, of: store, isSuppressed: isSuppressed)
      }
    }
  }

  /// Applies a change, and sends the combined values unless the change is suppressed or another
  /// thread is sending.
  private func apply(_ change: PreferencesChange, of store: PreferencesStore, isSuppressed: Bool) {
    let positions = keys.indices.filter {
      keys[$0].suite === store && keys[$0].name.hasSameBytes(as: change.key)
    }
    let isVisible = !isSuppressed && !keys.keepValues(change, of: store)
    let first = state.withLock { state -> SerialQueue.Call? in
      let wasKnown = state.unknown.isEmpty
      for position in positions { state.values[position] = change.newValue }
      state.unknown.subtract(positions)
      guard wasKnown ? isVisible : initial && state.unknown.isEmpty else { return nil }
      state.calls.append { [send, values = state.values] in send(values) }
      return state.calls.begin()
    }
    SerialQueue.make(first) { state.withLock { $0.calls.next() } }
  }
}

extension AsyncStream<[PlistValue?]> {
  /// Returns a stream of the stored values of all keys after each change of any of them.
  ///
  /// - Parameter initial: Whether the first element holds the present values.
  static func stored(
    under keys: [Defaults._AnyKey], initial: Bool, _ buffering: PreferencesChanges.Buffering
  ) -> AsyncStream {
    AsyncStream(bufferingPolicy: Continuation.BufferingPolicy(buffering)) { continuation in
      let values = StoredValues(of: keys, initial: initial) { continuation.yield($0) }
      let observations = values.observe()
      continuation.onTermination = { _ in
        for observation in observations { observation.cancel() }
      }
    }
  }
}
