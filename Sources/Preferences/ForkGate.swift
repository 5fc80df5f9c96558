internal import Glibc

/// What keeps the process from being forked while the thread that saves is at work: the child, which
/// does not have that thread, would get its locks with nobody to release them.
final class ForkGate: @unchecked Sendable {
  // Sendable because a semaphore is for all threads. It is no mutex: only the thread that holds one
  // can release it, and in a child that would be another one.
  private let semaphore: UnsafeMutablePointer<sem_t>

  static let shared = ForkGate()

  private init() {
    semaphore = .allocate(capacity: 1)
    sem_init(semaphore, 0, 1)
    pthread_atfork(
      { ForkGate.shared.close() }, { ForkGate.shared.open() }, { ForkGate.shared.open() })
  }

  /// Does something during which the process is not forked.
  func pass<Result>(_ body: () -> Result) -> Result {
    close()
    defer { open() }
    return body()
  }

  private func close() {
    while sem_wait(semaphore) != 0 {}
  }

  private func open() {
    sem_post(semaphore)
  }
}
