import CLinuxFile
import Foundation
import TestSupport
import Testing

@testable import Threading
@testable import FileStorage

@Suite("The queue for a lock")
struct TicketLockTests {
  private let temporary: TemporaryFolder
  private let folder: Folder
  /// Sees what all others have locked, and locks what nobody knows of.
  private let bystander: Descriptor

  init() throws {
    temporary = try TemporaryFolder()
    folder = try Folder(temporary.path)
    bystander = try folder.open("lock", flags: O_RDWR | O_CREAT, mode: 0o600)
  }

  /// One more of those who want the lock, which need not be processes.
  private func queue(patience: Duration = .seconds(600)) throws -> TicketLock {
    TicketLock(of: try folder.open("lock", flags: O_RDWR), patience: patience)
  }

  /// Begins to wait for the lock on a thread of its own, and gives what is called once it is there.
  private func wait(
    _ queue: TicketLock, until deadline: ContinuousClock.Instant = .now + .seconds(600),
    then body: @escaping @Sendable () -> Void = {}
  ) -> @Sendable () -> Bool {
    let done = DispatchSemaphore(value: 0)
    let result = Lock(false)
    Thread.detachNewThread {
      if (try? queue.acquire(until: deadline)) == true {
        body()
        result.withLock { $0 = true }
        queue.release()
      }
      done.signal()
    }
    return {
      done.wait()
      return result.withLock { $0 }
    }
  }

  /// Waits until somebody has a ticket, and nobody a later one.
  private func awaitTicket(_ ticket: off_t) throws {
    let locks = ByteLocks(of: bystander)
    while try locks.others(in: ticket...ticket) == nil { Duration.milliseconds(1).sleep() }
    #expect(try locks.others(in: (ticket + 1)...(.max)) == nil)
  }

  /// Whether anybody but the bystander has the lock or waits for it.
  private func isEmpty() throws -> Bool {
    try ByteLocks(of: bystander).others(in: 0...(.max)) == nil
  }

  @Test("lets all have it in the order in which they came")
  func order() throws {
    let holder = try queue()
    #expect(try holder.acquire(until: .now))
    let served = Lock<[off_t]>([])
    let results = try (1...12).map { (number: off_t) in
      let result = wait(try queue()) { served.withLock { $0.append(number) } }
      try awaitTicket(number)
      return result
    }
    #expect(served.withLock { $0 } == [])
    holder.release()
    #expect(results.map { $0() } == Array(repeating: true, count: 12))
    #expect(served.withLock { $0 } == Array(1...12))
    #expect(try isEmpty())
    #expect(try temporary.data("lock").isEmpty)
  }

  @Test("lets nobody who comes later be faster than who waits")
  func comingBack() throws {
    let holder = try queue()
    #expect(try holder.acquire(until: .now))
    let served = Lock<[String]>([])
    let first = wait(try queue()) { served.withLock { $0.append("first") } }
    try awaitTicket(1)
    holder.release()
    #expect(try holder.acquire(until: .now + .seconds(600)))
    served.withLock { $0.append("holder") }
    holder.release()
    #expect(first())
    #expect(served.withLock { $0 } == ["first", "holder"])
    #expect(try isEmpty())
  }

  @Test("passes over who does not take the lock in its turn", arguments: [1, 9])
  func sleeper(sleepers: off_t) throws {
    for ticket in 1...sleepers { #expect(try ByteLocks(of: bystander).lock(ticket)) }
    let queue = try queue(patience: .milliseconds(5))
    #expect(try queue.acquire(until: .now + .seconds(600)))
    // Its own ticket is given back.
    #expect(try ByteLocks(of: bystander).others(in: 0...(.max)) == 0...0)
    queue.release()
    #expect(try isEmpty())
  }

  @Test("leaves a free lock to who comes before as long as there is time")
  func patience() throws {
    #expect(try ByteLocks(of: bystander).lock(1))
    let deadline = ContinuousClock.now + .milliseconds(50)
    let queue = try queue()
    #expect(try queue.acquire(until: deadline))
    #expect(ContinuousClock.now >= deadline)
    queue.release()
  }

  @Test("is left when the time is over")
  func timeout() throws {
    let holder = try queue()
    #expect(try holder.acquire(until: .now))
    let (first, second) = (try queue(), try queue())
    #expect(try !first.acquire(until: .now))
    #expect(try !second.acquire(until: .now + .milliseconds(20)))
    holder.release()
    #expect(try isEmpty())
    #expect(try first.acquire(until: .now))
    first.release()
  }

  @Test("goes on when one in it is gone")
  func goneWaiter() throws {
    let holder = try queue()
    #expect(try holder.acquire(until: .now))
    var waiter: Descriptor? = try folder.open("lock", flags: O_RDWR)
    #expect(try waiter.map { try ByteLocks(of: $0).lock(1) } == true)
    let next = wait(try queue())
    try awaitTicket(2)
    // The same as the end of a process: its descriptors are closed.
    waiter = nil
    holder.release()
    #expect(next())
    #expect(try isEmpty())
  }

  @Test("waits also for programs that know no queue and lock the whole file")
  func wholeFile() throws {
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    #expect(fcntl(bystander.number, LARDER_F_OFD_SETLK, &lock) == 0)
    let queue = try queue()
    #expect(try !queue.acquire(until: .now + .milliseconds(20)))
    let waiting = wait(queue)
    lock.l_type = Int16(F_UNLCK)
    #expect(fcntl(bystander.number, LARDER_F_OFD_SETLK, &lock) == 0)
    #expect(waiting())
    #expect(try isEmpty())
  }
}
