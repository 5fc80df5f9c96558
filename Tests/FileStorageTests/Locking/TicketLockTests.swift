import CLinuxFile
import Foundation
import TestSupport
import Testing

@testable import Threading
@testable import FileStorage

@Suite("A ticket lock")
struct TicketLockTests {
  private let temporary: TemporaryFolder
  private let folder: Folder
  /// Another open file, whose locks are unknown to the ticket locks.
  private let bystander: Descriptor

  init() throws {
    temporary = try TemporaryFolder()
    folder = try Folder(temporary.path)
    bystander = try folder.open("lock", flags: O_RDWR | O_CREAT, mode: 0o600)
  }

  /// A lock on a separately opened file, like another process's.
  private func lock(patience: Duration = .seconds(600)) throws -> TicketLock {
    TicketLock(on: try folder.open("lock", flags: O_RDWR), patience: patience)
  }

  /// Starts waiting for the lock on a new thread.
  ///
  /// - Returns: A closure that waits for the thread, and returns whether it acquired the lock.
  private func wait(
    _ lock: TicketLock, until deadline: ContinuousClock.Instant = .now + .seconds(600),
    then body: @escaping @Sendable () -> Void = {}
  ) -> @Sendable () -> Bool {
    let done = DispatchSemaphore(value: 0)
    let result = Lock(false)
    Thread.detachNewThread {
      if (try? lock.acquire(until: deadline)) == true {
        body()
        result.withLock { $0 = true }
        lock.release()
      }
      done.signal()
    }
    return {
      done.wait()
      return result.withLock { $0 }
    }
  }

  /// Waits until a ticket is taken, and expects no later one.
  private func awaitTicket(_ ticket: off_t) throws {
    let locks = ByteLocks(of: bystander)
    while try locks.foreignLock(in: ticket...ticket) == nil { Duration.milliseconds(1).sleep() }
    #expect(try locks.foreignLock(in: (ticket + 1)...(.max)) == nil)
  }

  /// Returns whether no other open file has a lock.
  private func isEmpty() throws -> Bool {
    try ByteLocks(of: bystander).foreignLock(in: 0...(.max)) == nil
  }

  @Test("is acquired in order of arrival")
  func order() throws {
    let holder = try lock()
    #expect(try holder.acquire(until: .now))
    let served = Lock<[off_t]>([])
    let results = try (1...12).map { (number: off_t) in
      let result = wait(try lock()) { served.withLock { $0.append(number) } }
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

  @Test("is not acquired ahead of a waiter")
  func comingBack() throws {
    let holder = try lock()
    #expect(try holder.acquire(until: .now))
    let served = Lock<[String]>([])
    let first = wait(try lock()) { served.withLock { $0.append("first") } }
    try awaitTicket(1)
    holder.release()
    #expect(try holder.acquire(until: .now + .seconds(600)))
    served.withLock { $0.append("holder") }
    holder.release()
    #expect(first())
    #expect(served.withLock { $0 } == ["first", "holder"])
    #expect(try isEmpty())
  }

  @Test("passes over waiters that do not take it in their turn", arguments: [1, 9])
  func sleeper(sleepers: off_t) throws {
    for ticket in 1...sleepers { #expect(try ByteLocks(of: bystander).tryLock(ticket)) }
    let lock = try self.lock(patience: .milliseconds(5))
    #expect(try lock.acquire(until: .now + .seconds(600)))
    // Its own ticket is released.
    #expect(try ByteLocks(of: bystander).foreignLock(in: 0...(.max)) == 0...0)
    lock.release()
    #expect(try isEmpty())
  }

  @Test("is left to earlier waiters until the deadline")
  func patience() throws {
    #expect(try ByteLocks(of: bystander).tryLock(1))
    let deadline = ContinuousClock.now + .milliseconds(50)
    let lock = try self.lock()
    #expect(try lock.acquire(until: deadline))
    #expect(ContinuousClock.now >= deadline)
    lock.release()
  }

  @Test("times out while another has it")
  func timeout() throws {
    let holder = try lock()
    #expect(try holder.acquire(until: .now))
    let (first, second) = (try lock(), try lock())
    #expect(try !first.acquire(until: .now))
    #expect(try !second.acquire(until: .now + .milliseconds(20)))
    holder.release()
    #expect(try isEmpty())
    #expect(try first.acquire(until: .now))
    first.release()
  }

  @Test("passes over a waiter that is gone")
  func goneWaiter() throws {
    let holder = try lock()
    #expect(try holder.acquire(until: .now))
    var waiter: Descriptor? = try folder.open("lock", flags: O_RDWR)
    #expect(try waiter.map { try ByteLocks(of: $0).tryLock(1) } == true)
    let next = wait(try lock())
    try awaitTicket(2)
    // The same as the end of a process: its descriptors are closed.
    waiter = nil
    holder.release()
    #expect(next())
    #expect(try isEmpty())
  }

  @Test("waits for programs that lock the whole file, too")
  func wholeFile() throws {
    var request = flock()
    request.l_type = Int16(F_WRLCK)
    #expect(fcntl(bystander.number, LARDER_F_OFD_SETLK, &request) == 0)
    let lock = try self.lock()
    #expect(try !lock.acquire(until: .now + .milliseconds(20)))
    let waiting = wait(lock)
    request.l_type = Int16(F_UNLCK)
    #expect(fcntl(bystander.number, LARDER_F_OFD_SETLK, &request) == 0)
    #expect(waiting())
    #expect(try isEmpty())
  }
}
