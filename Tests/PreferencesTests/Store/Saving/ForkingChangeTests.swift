import Foundation
import PropertyList
import Synchronization
import Testing
import Threading

@testable import Preferences

@Suite("A fork beside a change", .serialized, .timeLimit(.minutes(5)))
struct ForkingChangeTests {
  /// Forks, ends the child at once, and waits for it.
  private static func fork() {
    // Swift marks fork as unavailable.
    let function = dlsym(nil, "fork")
    let child = unsafeBitCast(function, to: (@convention(c) () -> pid_t).self)()
    if child == 0 { _exit(0) }
    waitpid(child, nil, 0)
  }

  @Test("waits for a thread that starts to save what it has changed")
  func scheduling() {
    let (isForking, isChanging) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let (isForked, isSet) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    // The last handler of a fork before other threads are stopped, and that of one fork only.
    _ = CommitScheduler.onDirty
    let isOver = Atomic(false)
    Fork.register(.running) {
      if isOver.exchange(true, ordering: .relaxed) { return }
      isForking.signal()
      isChanging.wait()
    } after: { _ in
    }
    let file = DomainFile(path: nil) { _, _ in
      isChanging.signal()
      // For longer than the other thread takes to come to where it waits.
      #expect(isForked.wait(timeout: .now() + .milliseconds(100)) == .timedOut)
      // As whatever starts a thread does.
      Lock(0).withLock { _ in }
    }
    Thread.detachNewThread {
      Self.fork()
      isForked.signal()
    }
    #expect(isForking.wait(timeout: .now() + 60) == .success)
    Thread.detachNewThread {
      file.set(1, forKey: "k")
      isSet.signal()
    }
    #expect(isSet.wait(timeout: .now() + 60) == .success)
    #expect(isForked.wait(timeout: .now() + 60) == .success)
  }
}
