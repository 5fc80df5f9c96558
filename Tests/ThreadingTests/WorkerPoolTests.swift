import TestSupport
import Testing
import Threading

@Suite("A pool of workers", .timeLimit(.minutes(5)))
struct WorkerPoolTests {
  private func pool(width: Int = 2, limit: Int = 8) -> WorkerPool {
    WorkerPool("pool", width: width, limit: limit, patience: .milliseconds(20))
  }

  /// Waits within a closure, as the library does, so that no fork is delayed.
  private static func wait(for latch: Latch) {
    ForkGate.shared.allowingForks { _ = latch.wait() }
  }

  @Test("runs every closure, and no more of them at once than its width")
  func width() {
    let pool = WorkerPool("pool", width: 2, limit: 8, patience: .seconds(600))
    let (count, running, most) = (Lock(0), Lock(0), Lock(0))
    for _ in 0..<200 {
      let isRunning = pool.run {
        let now = running.withLock { running in
          running += 1
          return running
        }
        most.withLock { $0 = max($0, now) }
        Duration.microseconds(100).sleep()
        running.withLock { $0 -= 1 }
        count.withLock { $0 += 1 }
      }
      #expect(isRunning)
    }
    #expect(eventually { count.withLock { $0 } == 200 })
    #expect(most.withLock { $0 } <= 2)
    #expect(pool.threadCount <= 3)
  }

  @Test("runs others while some do not end, and starts no more threads than its limit")
  func long() {
    let pool = pool()
    let (mayEnd, begun, done) = (Latch(), Lock(0), Lock(0))
    for _ in 0..<12 {
      #expect(
        pool.run {
          begun.withLock { $0 += 1 }
          Self.wait(for: mayEnd)
          done.withLock { $0 += 1 }
        })
    }
    // Running them one after the other takes longer than the pool waits.
    #expect(eventually { begun.withLock { $0 } == 8 })
    #expect(pool.threadCount == 8)
    mayEnd.open()
    #expect(eventually { done.withLock { $0 } == 12 })
    let isDone = Latch()
    #expect(pool.run { isDone.open() })
    isDone.wait()
  }

  @Test("counts no closure that waits for others")
  func waiting() {
    let pool = WorkerPool("pool", width: 1, limit: 4, patience: .seconds(600))
    let (mayEnd, isDone) = (Latch(), Latch())
    #expect(
      pool.run {
        WorkerPool.noteWait()
        Self.wait(for: mayEnd)
        isDone.open()
      })
    let others = Recorder<Int>()
    for number in 0..<3 { #expect(pool.run { others.record(number) }) }
    #expect(eventually { others.all == [0, 1, 2] })
    #expect(!isDone.isOpen)
    mayEnd.open()
    isDone.wait()
    // On a thread of no pool it does nothing.
    WorkerPool.noteWait()
  }

  @Test("waits for a closure no longer than a time, and runs others while it goes on")
  func limitedWait() {
    let pool = WorkerPool("pool", width: 1, limit: 2, patience: .milliseconds(1))
    let (mayEnd, isDone) = (Latch(), Latch())
    #expect(pool.run(waiting: .seconds(60)) {})
    let hasEnded = pool.run(waiting: .milliseconds(1)) {
      Self.wait(for: mayEnd)
      isDone.open()
    }
    #expect(!hasEnded)
    #expect(pool.run(waiting: .seconds(60)) {})
    #expect(!isDone.isOpen)
    mayEnd.open()
    isDone.wait()
  }

  @Test("runs closures of higher priority first")
  func priority() {
    let pool = WorkerPool("pool", width: 1, limit: 1, patience: .seconds(600))
    let (order, isBusy, mayEnd) = (Recorder<Int>(), Latch(), Latch())
    #expect(
      pool.run {
        isBusy.open()
        Self.wait(for: mayEnd)
      })
    isBusy.wait()
    for (number, priority) in [(1, 0), (2, 9), (3, 0), (4, 9), (5, 200)] {
      #expect(pool.run(priority: UInt8(priority)) { order.record(number) })
    }
    mayEnd.open()
    #expect(eventually { order.all.count == 5 })
    #expect(order.all == [5, 2, 4, 1, 3])
  }

  @Test("runs closures that relied on a thread that cannot be started")
  func shortage() {
    let order = Recorder<Int>()
    let current = Lock<WorkerPool?>(nil)
    let pool = WorkerPool("pool", width: 1, limit: 1, patience: .seconds(600)) { _, _ in
      // As another thread does at the same time: with the one being started, there are enough
      // threads.
      let isTaken = current.withLock { $0 }?.run { order.record(2) }
      #expect(isTaken == true)
      return false
    }
    current.withLock { $0 = pool }
    #expect(!pool.run { order.record(1) })
    #expect(order.all == [2])
    current.withLock { $0 = nil }
  }
}
