import Foundation
import Synchronization
import TestSupport
import Testing
import Threading

@Suite("A fork", .serialized)
struct ForkTests {
  /// Forks on another thread.
  ///
  /// - Returns: A semaphore that is signaled when the fork has been made.
  private static func forkElsewhere() -> DispatchSemaphore {
    let isDone = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      TestFork.make()
      isDone.signal()
    }
    return isDone
  }

  @Test("waits for a thread within the gate until it allows forks")
  func waiting() {
    let gate = ForkGate.shared
    gate.delayingForks {
      let isDone = Self.forkElsewhere()
      #expect(isDone.wait(timeout: .now() + .milliseconds(100)) == .timedOut)
      gate.allowingForks { #expect(isDone.wait(timeout: .now() + 60) == .success) }
    }
  }

  @Test("waits for a lock, whose holder stays within the gate")
  func lock() {
    let isDone = Lock(0).withLock { _ in
      let isDone = Self.forkElsewhere()
      // A thread that holds a lock stays within the gate.
      ForkGate.shared.allowingForks {
        #expect(isDone.wait(timeout: .now() + .milliseconds(100)) == .timedOut)
      }
      return isDone
    }
    #expect(isDone.wait(timeout: .now() + 60) == .success)
  }

  @Test("is made by a thread that is within the gate itself")
  func inside() {
    ForkGate.shared.delayingForks {
      TestFork.make()
      ForkGate.shared.allowingForks { TestFork.make() }
    }
  }

  @Test("is not starved by threads that enter the gate again and again")
  func busy() {
    let isDone = Atomic(false)
    let lock = Lock(0)
    let ended = DispatchGroup()
    for _ in 0..<4 {
      ended.enter()
      let isStarted = BackgroundThread.start("test-busy") {
        while !isDone.load(ordering: .relaxed) {
          lock.withLock { $0 += 1 }
          ForkGate.shared.allowingForks {}
        }
        ended.leave()
      }
      #expect(isStarted)
    }
    for _ in 0..<200 { TestFork.make() }
    isDone.store(true, ordering: .relaxed)
    #expect(ended.wait(timeout: .now() + 60) == .success)
  }

  @Test("runs handlers before and after, in reverse order")
  func handlers() {
    let calls = Lock<[String]>([])
    Fork.register(.running) {
      calls.withLock { $0.append("before 1") }
    } after: { isChild in
      calls.withLock { $0.append("after 1 \(isChild)") }
    }
    Fork.register(.running) {
      calls.withLock { $0.append("before 2") }
    } after: { isChild in
      calls.withLock { $0.append("after 2 \(isChild)") }
    }
    let (count, made) = (Fork.count, Fork.made)
    TestFork.make()
    #expect(
      calls.withLock { $0 } == ["before 1", "before 2", "after 2 false", "after 1 false"])
    #expect(Fork.count == count)
    #expect(Fork.made == made + 1)
  }
}
