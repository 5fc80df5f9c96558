public import Preferences
internal import PropertyList
internal import Threading
internal import TypedPreferences

/// Asynchronous sequences of values.
extension Defaults {
  /// Returns a sequence of the value of a key after each change.
  ///
  /// ```swift
  /// for await quality in Defaults.updates(.quality) {
  ///   print(quality)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - initial: Whether the first element is the present value.
  ///   - buffering: How values are buffered until the iteration reaches them.
  public static func updates<Value: Serializable>(
    _ key: Key<Value>, initial: Bool = true, buffering: PreferencesChanges.Buffering = .unbounded
  ) -> Updates<Value> {
    let preference = key.preference.resolved
    return Updates(of: [key], initial: initial, buffering) { preference.value(of: $0[0]) }
  }

  /// Returns a sequence of the values of several keys after each change of any of them.
  ///
  /// ```swift
  /// for await (name, quality) in Defaults.updates(.name, .quality) {
  ///   print(name, quality)
  /// }
  /// ```
  ///
  /// One key changes from one element to the next, so if all keys are in the same suite, the values
  /// of an element were all current at the same time.
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - initial: Whether the first element holds the present values.
  ///   - buffering: How values are buffered until the iteration reaches them.
  public static func updates<each Value: Serializable>(
    _ keys: repeat Key<each Value>, initial: Bool = true,
    buffering: PreferencesChanges.Buffering = .unbounded
  ) -> Updates<(repeat each Value)> {
    var all: [_AnyKey] = []
    for key in repeat each keys { all.append(key) }
    let preferences = (repeat (each keys).preference.resolved)
    return Updates(of: all, initial: initial, buffering) { stored in
      var position = 0
      func next<One>(_ preference: TypedPreference<One>) -> One {
        defer { position += 1 }
        return preference.value(of: stored[position])
      }
      return (repeat next(each preferences))
    }
  }

  /// Returns a sequence of an element for each change of any of several keys.
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - initial: Whether there is an element at the start.
  ///   - buffering: How elements are buffered until the iteration reaches them.
  public static func updates(
    _ keys: [_AnyKey], initial: Bool = true, buffering: PreferencesChanges.Buffering = .unbounded
  ) -> Updates<Void> {
    Updates(of: keys, initial: initial, buffering) { _ in }
  }

  /// An asynchronous sequence of the values of keys, for one iteration.
  ///
  /// It ends when the task that iterates it is canceled. Values are buffered, as they are stored,
  /// from its creation until it and its iterator are released; they are decoded when the iteration
  /// reaches them.
  public struct Updates<Element>: AsyncSequence, Sendable {
    /// The sequence does not throw.
    public typealias Failure = Never

    private let stored: AsyncStream<[PlistValue?]>
    private let decode: @Sendable ([PlistValue?]) -> Element

    /// - Parameter decode: Makes an element from the stored values of the keys.
    init(
      of keys: [_AnyKey], initial: Bool, _ buffering: PreferencesChanges.Buffering,
      _ decode: @escaping @Sendable ([PlistValue?]) -> Element
    ) {
      stored = AsyncStream(bufferingPolicy: .init(buffering)) { continuation in
        let observations = StoredValues.observe(keys.map(\.observed), initial: initial) {
          continuation.yield($0)
        }
        continuation.onTermination = { _ in
          for observation in observations { observation.cancel() }
        }
      }
      self.decode = decode
    }

    /// An iterator over the values.
    public struct AsyncIterator: AsyncIteratorProtocol {
      fileprivate var stored: AsyncStream<[PlistValue?]>.Iterator
      fileprivate let decode: @Sendable ([PlistValue?]) -> Element

      /// Waits for the next value; returns nil if the task is canceled.
      public mutating func next() async -> Element? {
        await stored.next().map(decode)
      }

      /// Waits for the next value; returns nil if the task is canceled.
      public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
        await stored.next(isolation: actor).map(decode)
      }
    }

    /// Creates the iterator.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(stored: stored.makeAsyncIterator(), decode: decode)
    }
  }
}

/// The latest stored values of several keys, combined from the changes of the stores of the keys.
private struct StoredValues {
  /// One value for each key; nil if nothing is stored.
  private var values: [PlistValue?]
  /// The positions of the keys whose values have not been reported yet.
  private var unknown: Set<Int>
  /// The calls that send the combined values.
  private var calls = SerialQueue()

  /// Observes the stores of keys.
  ///
  /// - Parameters:
  ///   - initial: Whether the current values are also sent.
  ///   - send: Receives all values after each change that is not suppressed. Calls do not overlap.
  static func observe(
    _ keys: [Defaults._AnyKey.Observed], initial: Bool,
    send: @escaping @Sendable ([PlistValue?]) -> Void
  ) -> [PreferencesObservation] {
    let state = Lock(
      StoredValues(
        values: Array(repeating: nil, count: keys.count), unknown: Set(keys.indices)))
    if keys.isEmpty, initial { send([]) }
    return keys.namesByStore.map { store, names in
      store.observe(names, initial: true) { change, isSuppressed in
        let positions = keys.indices.filter {
          keys[$0].suite === store && keys[$0].name.hasSameBytes(as: change.key)
        }
        let isVisible = !isSuppressed && !keys.keepValues(change, of: store)
        let first = state.withLock { state -> SerialQueue.Call? in
          let wasKnown = state.unknown.isEmpty
          for position in positions { state.values[position] = change.newValue }
          state.unknown.subtract(positions)
          guard wasKnown ? isVisible : initial && state.unknown.isEmpty else { return nil }
          state.calls.append { [values = state.values] in send(values) }
          return state.calls.begin()
        }
        SerialQueue.make(first) { state.withLock { $0.calls.next() } }
      }
    }
  }
}
