import Foundation
import Synchronization

/// Threads that do something at the same time.
enum ThreadTeam {
  /// Has threads do work over and over, all from one moment on until the time is over.
  ///
  /// - Parameter works: What the threads do, one each.
  /// - Returns: The nanoseconds that passed, divided by how often the work was done by all of them.
  static func time(_ works: [@Sendable () -> Void], nanoseconds: Double) -> Double {
    let team = Team(works.count + 1)
    for work in works {
      Thread.detachNewThread {
        team.barrier.wait()
        let start = Clock.wall.nanoseconds
        var count = 0
        while !team.isOver.load(ordering: .relaxed) {
          work()
          count += 1
        }
        let end = Clock.wall.nanoseconds
        team.results.withLock { results in
          results.start = min(results.start, start)
          results.end = max(results.end, end)
          results.count += count
        }
        team.barrier.wait()
      }
    }
    team.barrier.wait()
    usleep(UInt32(nanoseconds / 1000))
    team.isOver.store(true, ordering: .relaxed)
    team.barrier.wait()
    return team.results.withLock { Double($0.end - $0.start) / Double($0.count) }
  }

  private final class Team: Sendable {
    struct Results {
      var start = Int.max
      var end = Int.min
      var count = 0
    }

    let barrier: Barrier
    let isOver = Atomic(false)
    let results = Mutex(Results())

    init(_ count: Int) {
      barrier = Barrier(count)
    }
  }

  /// A place where threads wait until all of them are there.
  private final class Barrier: @unchecked Sendable {
    // Sendable because it is what the system has for use by many threads.
    private let barrier: UnsafeMutablePointer<pthread_barrier_t>

    init(_ count: Int) {
      barrier = .allocate(capacity: 1)
      pthread_barrier_init(barrier, nil, UInt32(count))
    }

    deinit {
      pthread_barrier_destroy(barrier)
      barrier.deallocate()
    }

    func wait() {
      pthread_barrier_wait(barrier)
    }
  }
}
