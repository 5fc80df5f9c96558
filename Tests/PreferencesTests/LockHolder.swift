import FileStorage
import TestSupport
import Testing

/// Locks on files that are held until they are released.
final class LockHolder: Sendable {
  private let mayEnd = Latch()
  private let threads = Recorder<TestThread>()

  /// Locks a file as another writer does.
  func lock(_ path: String) throws {
    let isLocked = Latch()
    let thread = TestThread { [mayEnd] in
      guard let file = try? AtomicFile(path), let lock = try? file.lock(keepsLockFile: true) else {
        return
      }
      isLocked.open()
      mayEnd.wait()
      withExtendedLifetime(lock) {}
    }
    threads.record(thread)
    isLocked.wait()
  }

  func release() {
    mayEnd.open()
    for thread in threads.all { #expect(thread.join()) }
  }
}
