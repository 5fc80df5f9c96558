import Foundation
import Synchronization

/// Measures work that several threads do at the same time.
enum ThreadTeam {
  /// Runs threads that start together and repeat their work until the time is over.
  ///
  /// - Parameters:
  ///   - works: The work of each thread.
  ///   - nanoseconds: The time.
  /// - Returns: The elapsed nanoseconds divided by the total number of repetitions.
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

  /// Blocks threads until all of them have arrived.
  private final class Barrier: @unchecked Sendable {
    // Sendable because a pthread barrier is made for use by several threads.
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
