import Foundation
import PropertyList
import Synchronization
import TestSupport
import Testing
import Threading

@testable import Preferences

@Suite("A fork beside a change", .serialized, .timeLimit(.minutes(5)))
struct ForkingChangeTests {
  // In a separate process, where no test delays a fork.
  @Test("waits for a thread that starts to save what it has changed")
  func scheduling() async {
    await #expect(processExitsWith: .success) { Self.scheduleDuringFork() }
  }

  private static func scheduleDuringFork() {
    let (isForking, isChanging) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let (isForked, isSet) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let file = DomainFile(path: nil)
    // The last fork handler that runs before other threads are stopped. It acts in one fork only.
    let isOver = Atomic(false)
    Fork.register(.running) {
      if isOver.exchange(true, ordering: .relaxed) { return }
      isForking.signal()
      isChanging.wait()
    } after: { _ in
    }
    Thread.detachNewThread {
      TestFork.make()
      isForked.signal()
    }
    wait(for: isForking)
    Thread.detachNewThread {
      // Like the first scheduled change, which starts a thread under the state lock.
      ForkGate.shared.delayingForks {
        StateLock.change { change in
          isChanging.signal()
          // Longer than the other thread takes to reach its wait.
          #expect(isForked.wait(timeout: .now() + .milliseconds(100)) == .timedOut)
          file.scheduleSaving(in: change)
        }
      }
      isSet.signal()
    }
    wait(for: isSet)
    wait(for: isForked)
  }

  /// Waits for a semaphore. After a minute it ends the process, which could not end otherwise while
  /// the thread waits.
  private static func wait(for semaphore: DispatchSemaphore) {
    if semaphore.wait(timeout: .now() + 60) == .timedOut { _exit(EXIT_FAILURE) }
  }
}
