internal import Glibc
internal import Threading

/// Those who wait for the lock on the first byte of a file, and get it in the order in which they came.
///
/// Who comes while somebody has it, or waits for it, takes a ticket, which is a lock on a byte behind all
/// that are locked, and waits until no byte between the first and its own is. So the kernel keeps the
/// queue, among processes and among the threads of one, and removes from it who has ended.
///
/// Who has a ticket and does not take the lock in its turn, because it is stopped, say, is passed over after
/// some time.
struct TicketLock {
  /// The byte that is locked by the holder. The tickets follow.
  private static let heldByte: off_t = 0
  /// How far ahead of itself in the queue one looks: farther from the lock there is no hurry.
  private static let farthest = 10

  /// How often the first in the queue looks whether the lock is free: at first, and at least.
  private static let pauses = (first: Duration.microseconds(100), longest: Duration.milliseconds(1))
  /// How long to wait between two looks for each that comes before.
  private static let pauseForEach = Duration.milliseconds(1)

  private let locks: ByteLocks
  /// How long the lock is left, though it is free, to each that comes before, up to four of them.
  private let patience: Duration

  /// The queue of a file, which others may have open as well.
  init(of file: Descriptor, patience: Duration = .milliseconds(50)) {
    locks = ByteLocks(of: file)
    self.patience = patience
  }

  /// Waits for the lock.
  ///
  /// - Returns: Whether it was to be had in time. When the time is over it is taken where it is free,
  ///   whoever else waits.
  func acquire(until deadline: ContinuousClock.Instant) throws(FileSystemError) -> Bool {
    // Usually there is nobody.
    if try locks.others(in: Self.heldByte...(.max)) == nil, try locks.lock(Self.heldByte) {
      return true
    }
    let ticket = try takeTicket()
    defer { if let ticket { locks.unlock(ticket...ticket) } }
    var pause = Self.pauses.first
    var lastAhead = 0
    /// Since when the lock has been free, and nobody has left the queue, as far as this was seen.
    var idleSince = ContinuousClock.now
    while true {
      let ahead = try count(before: ticket)
      let isFree = try locks.others(in: Self.heldByte...Self.heldByte) == nil
      let now = ContinuousClock.now
      if !isFree || ahead != lastAhead { idleSince = now }
      lastAhead = ahead
      let isTurn = now - idleSince >= patience * min(ahead, 4)
      let isLate = now >= deadline
      if isFree, isTurn || isLate, try locks.lock(Self.heldByte) { return true }
      if isLate { return false }
      if ahead > 0 {
        (Self.pauseForEach * ahead).sleep()
      } else {
        pause.sleep()
        pause = min(pause * 2, Self.pauses.longest)
      }
    }
  }

  /// Releases the lock, for the next in the queue.
  func release() {
    locks.unlock(Self.heldByte...Self.heldByte)
  }

  /// Takes the last place in the queue.
  ///
  /// - Returns: The number of the byte; nil where a program that knows no queue has locked all bytes.
  private func takeTicket() throws(FileSystemError) -> off_t? {
    var ticket = Self.heldByte + 1
    while true {
      if let other = try locks.others(in: ticket...(.max)) {
        if other.upperBound == .max { return nil }
        ticket = other.upperBound + 1
      } else if try locks.lock(ticket) {
        return ticket
      }
    }
  }

  /// How many others come before a ticket, up to a bound. The one who has the lock is none of them.
  private func count(before ticket: off_t?) throws(FileSystemError) -> Int {
    guard let ticket else { return 0 }
    var count = 0
    var next = Self.heldByte + 1
    // The kernel tells of the tickets in the order in which they were taken.
    while count < Self.farthest, next < ticket,
      let other = try locks.others(in: next...(ticket - 1))
    {
      count += 1
      next = min(other.upperBound, ticket - 1) + 1
    }
    return count
  }
}
