internal import CLinuxFile
internal import Glibc
internal import Threading

/// A fair lock on the first byte of a file: waiters acquire it in order of arrival.
///
/// A waiter takes a ticket, which is a lock on a byte after all locked ones, and waits until no
/// byte between the first and its own is locked. The kernel thus keeps the queue, across processes
/// and threads, and removes a waiter that exits.
///
/// A waiter that does not take the lock when it is its turn, for example because it is stopped, is
/// passed over after some time.
struct TicketLock {
  /// The byte that the holder locks. The tickets follow it.
  private static let heldByte: off_t = 0
  /// The largest number of earlier tickets that a waiter counts. Its exact place farther back does
  /// not matter.
  private static let countLimit = 10

  /// The pauses between attempts of the first waiter: the first and the longest; each is twice the
  /// previous one.
  private static let pauses = (first: Duration.microseconds(100), longest: Duration.milliseconds(1))
  /// The pause between attempts of other waiters, for each earlier ticket.
  private static let pausePerTicket = Duration.milliseconds(1)

  private let locks: ByteLocks
  /// How long a free lock is left to each earlier waiter, up to four of them.
  private let patience: Duration

  init(on file: Descriptor, patience: Duration = .milliseconds(50)) {
    locks = ByteLocks(of: file)
    self.patience = patience
  }

  /// How long other work may wait for a waiter.
  private static let momentaryWait = Duration.milliseconds(20)
  /// After this time, a waiter is notified that the wait is long.
  private static let longWait = Duration.seconds(1)

  /// Waits for the lock.
  ///
  /// - Parameter onLongWait: Called once if the wait is longer than a second.
  /// - Returns: False if the lock was not free in time, or the wait was canceled. At the deadline,
  ///   a free lock is taken ahead of earlier waiters.
  func acquire(
    until deadline: ContinuousClock.Instant, onLongWait: () -> Void = {}
  ) throws(FileSystemError) -> Bool {
    if try tryAcquireUncontended() { return true }
    let start = ContinuousClock.now
    var isReported = false
    var isNoted = false
    let ticket = try takeTicket()
    defer { if let ticket { locks.unlock(ticket...ticket) } }
    var pause = Self.pauses.first
    var lastAhead = 0
    /// Since when the lock has been free and the queue unchanged.
    var idleSince = ContinuousClock.now
    while true {
      let ahead = try ticketCount(before: ticket)
      let isFree = try locks.foreignLock(in: Self.heldByte...Self.heldByte) == nil
      let now = ContinuousClock.now
      if !isFree || ahead != lastAhead { idleSince = now }
      lastAhead = ahead
      let isTurn = now - idleSince >= patience * min(ahead, 4)
      let isLate = now >= deadline || Cancellation.isRequested
      if isFree, isTurn || isLate, try locks.tryLock(Self.heldByte) { return true }
      if isLate { return false }
      if !isNoted, now - start >= Self.momentaryWait {
        isNoted = true
        WorkerPool.noteWait()
      }
      if !isReported, now - start >= Self.longWait {
        isReported = true
        onLongWait()
      }
      if ahead > 0 {
        (Self.pausePerTicket * ahead).sleep()
      } else {
        pause.sleep()
        pause = min(pause * 2, Self.pauses.longest)
      }
    }
  }

  /// Releases the lock for the next waiter.
  func release() { locks.unlock(Self.heldByte...Self.heldByte) }

  /// Returns whether others wait for the lock, which this one holds.
  func hasWaiters() throws(FileSystemError) -> Bool {
    try locks.foreignLock(in: Self.heldByte + 1...(.max)) != nil
  }

  private func tryAcquireUncontended() throws(FileSystemError) -> Bool {
    guard try locks.foreignLock(in: Self.heldByte...(.max)) == nil else { return false }
    return try locks.tryLock(Self.heldByte)
  }

  /// Takes the last place in the queue and returns its byte; nil if a program that uses no tickets
  /// has locked all bytes.
  private func takeTicket() throws(FileSystemError) -> off_t? {
    var ticket = Self.heldByte + 1
    while true {
      if let other = try locks.foreignLock(in: ticket...(.max)) {
        if other.upperBound == .max { return nil }
        ticket = other.upperBound + 1
      } else if try locks.tryLock(ticket) {
        return ticket
      }
    }
  }

  /// Counts the tickets before this one, up to a limit.
  private func ticketCount(before ticket: off_t?) throws(FileSystemError) -> Int {
    guard let ticket else { return 0 }
    var count = 0
    var next = Self.heldByte + 1
    // The kernel reports tickets in the order they were taken.
    while count < Self.countLimit, next < ticket,
      let other = try locks.foreignLock(in: next...(ticket - 1))
    {
      count += 1
      next = min(other.upperBound, ticket - 1) + 1
    }
    return count
  }
}

/// Exclusive advisory locks on byte ranges of an open file, even beyond its end. They belong to the
/// open file, not to the process (fcntl(2), "Open file description locks"). The kernel releases
/// them when the last descriptor of the open file is closed, at the latest when all processes that
/// have one exit.
struct ByteLocks {
  private let descriptor: Descriptor

  init(of descriptor: Descriptor) { self.descriptor = descriptor }

  /// Tries to lock a byte, without waiting; false if another open file holds a lock on it.
  func tryLock(_ byte: off_t) throws(FileSystemError) -> Bool {
    var lock = flock(F_WRLCK, byte...byte)
    while control(LARDER_F_OFD_SETLK, &lock) != 0 {
      if errno == EAGAIN || errno == EACCES { return false }
      guard errno == EINTR else { throw FileSystemError(.lock) }
    }
    return true
  }

  func unlock(_ bytes: ClosedRange<off_t>) {
    var lock = flock(F_UNLCK, bytes)
    while control(LARDER_F_OFD_SETLK, &lock) != 0, errno == EINTR {}
  }

  /// Returns the range of any one lock that another open file holds within a range; nil if there is
  /// none.
  func foreignLock(in bytes: ClosedRange<off_t>) throws(FileSystemError) -> ClosedRange<off_t>? {
    var lock = flock(F_WRLCK, bytes)
    while control(LARDER_F_OFD_GETLK, &lock) != 0 {
      guard errno == EINTR else { throw FileSystemError(.lock) }
      lock = flock(F_WRLCK, bytes)
    }
    if lock.l_type == Int16(F_UNLCK) { return nil }
    return lock.l_start...(lock.l_len == 0 ? .max : lock.l_start + lock.l_len - 1)
  }

  private func control(_ command: Int32, _ lock: inout flock) -> Int32 {
    ForkGate.shared.allowingForks { fcntl(descriptor.number, command, &lock) }
  }
}

extension flock {
  /// A request for a lock of a type on some bytes of a file, or on the whole file.
  init(_ type: Int32, _ bytes: ClosedRange<off_t> = 0...(.max)) {
    self.init()
    l_type = Int16(type)
    l_whence = Int16(SEEK_SET)
    l_start = bytes.lowerBound
    // A length of 0 extends the lock to the largest possible offset.
    l_len = bytes.upperBound == .max ? 0 : bytes.upperBound - bytes.lowerBound + 1
  }
}
