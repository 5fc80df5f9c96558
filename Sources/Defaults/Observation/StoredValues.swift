internal import Preferences
internal import PropertyList
internal import Threading

/// What is stored under some keys, put together from the changes of the stores in which they lie.
final class StoredValues: Sendable {
  private struct State {
    /// One for each key; nil where nothing is stored.
    var values: [PlistValue?]
    /// The positions of keys of which nothing has been heard.
    var unknown: Set<Int>
    /// What has to be sent.
    var queue: [[PlistValue?]] = []
    /// Whether a thread is sending it.
    var isSending = false
  }

  private let keys: [Defaults._AnyKey]
  private let initial: Bool
  private let send: @Sendable ([PlistValue?]) -> Void
  private let state: Lock<State>

  /// Calls the closure with all values at each change, one call after another.
  ///
  /// - Parameter initial: Whether it is called when all values are known for the first time.
  init(
    of keys: [Defaults._AnyKey], initial: Bool, send: @escaping @Sendable ([PlistValue?]) -> Void
  ) {
    self.keys = keys
    self.initial = initial
    self.send = send
    state = Lock(
      State(values: Array(repeating: nil, count: keys.count), unknown: Set(keys.indices)))
    if keys.isEmpty, initial { send([]) }
  }

  /// Observes the stores.
  func observe() -> [PreferencesObservation] {
    keys.namesByStore.map { store, names in
      store.observe(names, initial: true, includesSuppressed: true) { change in self.note(change, in: store)
      }
    }
  }

  /// Notes a change and sends what comes of it, unless another thread is about to.
  private func note(_ change: PreferencesChange, in store: PreferencesStore) {
    let positions = keys.indices.filter {
      keys[$0].suite === store && keys[$0].name.hasSameBytes(as: change.key)
    }
    let mustSend = state.withLock { state in
      let wasKnown = state.unknown.isEmpty
      for position in positions { state.values[position] = change.newValue }
      state.unknown.subtract(positions)
      guard wasKnown || initial && state.unknown.isEmpty else { return false }
      state.queue.append(state.values)
      defer { state.isSending = true }
      return !state.isSending
    }
    if mustSend { sendAll() }
  }

  private func sendAll() {
    while let next = next() { for values in next { send(values) } }
  }

  private func next() -> [[PlistValue?]]? {
    state.withLock { state in
      state.isSending = !state.queue.isEmpty
      defer { state.queue = [] }
      return state.isSending ? state.queue : nil
    }
  }
}

extension AsyncStream<[PlistValue?]> {
  /// What is stored under some keys, all of it at each change of any, from this call on.
  ///
  /// - Parameter initial: Whether the first is what is stored now.
  static func stored(
    under keys: [Defaults._AnyKey], initial: Bool, _ buffering: PreferencesChanges.Buffering
  ) -> AsyncStream {
    let policy: Continuation.BufferingPolicy =
      switch buffering {
      case .unbounded: .unbounded
      case .newest(let count): .bufferingNewest(count)
      }
    return AsyncStream(bufferingPolicy: policy) { continuation in
      let values = StoredValues(of: keys, initial: initial) { continuation.yield($0) }
      let observations = values.observe()
      continuation.onTermination = { _ in
        for observation in observations { observation.cancel() }
      }
    }
  }
}
