import Foundation
import Testing
import Threading

@Suite("A side thread")
struct SideThreadTests {
  private let side = SideThread("side")

  /// Runs a closure and returns the thread on which it ran.
  private func thread() -> pthread_t? {
    let thread = Lock<pthread_t?>(nil)
    #expect(side.run(waiting: .seconds(60)) { thread.withLock { $0 = pthread_self() } })
    return thread.withLock { $0 }
  }

  @Test("runs closures one after another on one thread, which is not the caller's")
  func order() {
    let first = thread()
    #expect(first != nil && first != pthread_self())
    for _ in 0..<100 { #expect(thread() == first) }
  }

  @Test("leaves a closure behind that does not end, and runs others on another thread")
  func left() {
    let (mayEnd, hasEnded) = (Lock(false), Lock(false))
    let first = thread()
    let isDone = side.run(waiting: .milliseconds(1)) {
      while !mayEnd.withLock({ $0 }) { Duration.milliseconds(1).sleep() }
      hasEnded.withLock { $0 = true }
    }
    #expect(!isDone)
    #expect(thread() != first)
    #expect(!hasEnded.withLock { $0 })
    mayEnd.withLock { $0 = true }
    while !hasEnded.withLock({ $0 }) { usleep(1000) }
    #expect(thread() != nil)
  }

  @Test("waits for a closure when too many have been left behind")
  func limit() {
    let mayEnd = Lock(false)
    let count = Lock(0)
    let left = (0..<32).count(where: { _ in
      !side.run(waiting: .milliseconds(1)) {
        while !mayEnd.withLock({ $0 }) { Duration.milliseconds(1).sleep() }
        count.withLock { $0 += 1 }
      }
    })
    #expect(left == 32)
    #expect(
      side.run(waiting: .milliseconds(1)) {
        // More than the caller would wait for otherwise.
        Duration.milliseconds(100).sleep()
      })
    mayEnd.withLock { $0 = true }
    while count.withLock({ $0 }) < 32 { usleep(1000) }
    #expect(thread() != nil)
  }
}
