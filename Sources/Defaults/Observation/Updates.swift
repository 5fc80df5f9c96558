internal import Preferences
internal import PropertyList

extension Defaults {
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

    /// - Parameter decode: Makes an element of the stored values of the keys.
    init(
      of keys: [_AnyKey], initial: Bool, _ buffering: PreferencesChanges.Buffering,
      _ decode: @escaping @Sendable ([PlistValue?]) -> Element
    ) {
      stored = .stored(under: keys, initial: initial, buffering)
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
