package import Testing
import Threading

/// A gate where threads wait, closed until it is opened once.
package final class Latch: Sendable {
  private let hasOpened = Lock(false)

  package init() {}

  package func open() { hasOpened.withLock { $0 = true } }

  package var isOpen: Bool { hasOpened.withLock { $0 } }

  /// Blocks the thread until the latch is open, for longer than any other wait of a test.
  ///
  /// - Returns: Whether it has been opened in time.
  @discardableResult
  package func wait(sourceLocation: SourceLocation = #_sourceLocation) -> Bool {
    eventually(within: patience * 2, sourceLocation: sourceLocation) { isOpen }
  }
}
