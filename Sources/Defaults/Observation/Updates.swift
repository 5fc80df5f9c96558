internal import Preferences
internal import PropertyList

extension Defaults {
  /// Values of keys, one after another.
  ///
  /// It ends when the task that iterates it is canceled. Values are gathered from its creation on, until
  /// neither it nor an iterator of it is kept; it is for one iteration. They are gathered as they are
  /// stored, and made when the iteration comes to them.
  public struct Updates<Element>: AsyncSequence, Sendable {
    /// Nothing fails.
    public typealias Failure = Never

    private let stored: AsyncStream<[PlistValue?]>
    private let make: @Sendable ([PlistValue?]) -> Element

    /// What a closure makes of what is stored under some keys, one value for each.
    init(
      of keys: [_AnyKey], initial: Bool, _ buffering: PreferencesChanges.Buffering,
      _ make: @escaping @Sendable ([PlistValue?]) -> Element
    ) {
      stored = .stored(under: keys, initial: initial, buffering)
      self.make = make
    }

    /// Goes through the values.
    public struct AsyncIterator: AsyncIteratorProtocol {
      fileprivate var stored: AsyncStream<[PlistValue?]>.Iterator
      fileprivate let make: @Sendable ([PlistValue?]) -> Element

      /// The next value; nil when the task has been canceled.
      public mutating func next() async -> Element? {
        await stored.next().map(make)
      }

      /// The next value; nil when the task has been canceled.
      public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
        await stored.next(isolation: actor).map(make)
      }
    }

    /// Begins to go through the values.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(stored: stored.makeAsyncIterator(), make: make)
    }
  }
}
