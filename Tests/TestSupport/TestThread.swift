import Foundation
package import Testing

/// A thread that runs a closure.
package final class TestThread: Sendable {
  private let end = Latch()

  /// Starts the thread.
  ///
  /// - Parameter stackSize: The size of its stack, in bytes.
  package init(stackSize: Int = 4 << 20, _ body: @escaping @Sendable () -> Void) {
    let thread = Thread { [end] in
      body()
      end.open()
    }
    thread.stackSize = stackSize
    thread.start()
  }

  package var isFinished: Bool { end.isOpen }

  /// Blocks the calling thread until the closure has returned.
  ///
  /// - Returns: Whether it has returned in time.
  package func join(
    within limit: Duration = patience, sourceLocation: SourceLocation = #_sourceLocation
  ) -> Bool {
    eventually(within: limit, sourceLocation: sourceLocation) { isFinished }
  }
}
