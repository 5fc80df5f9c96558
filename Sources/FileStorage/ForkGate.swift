/// What keeps the process from being forked while a thread of the library is at work: the child would get
/// the locks that it holds with nobody to release them.
package final class ForkGate: Sendable {
  private let semaphore = Semaphore()

  /// A gate for one thread.
  package init() {
    Fork.register(
      .threads, before: { [semaphore] in semaphore.wait() },
      after: { [semaphore] _ in semaphore.post() })
  }

  /// Does something during which the process is not forked.
  package func pass<Result>(_ body: () -> Result) -> Result {
    semaphore.wait()
    defer { semaphore.post() }
    return body()
  }
}
