internal import Threading

/// Who has the turn at a file, and who waits for it. A value that decides and waits for nothing.
struct TurnQueue<Waiter> {
  /// Identifies a turn: no two turns at one file have the same number, in a forked child neither.
  typealias Number = Int

  /// Work that is left to the next turn in the background, all of it to one.
  struct Work: OptionSet, Sendable {
    let rawValue: UInt8
    /// Saves the changes.
    static var save: Work { Work(rawValue: 1) }
    /// Reads the file, which may have changed.
    static var read: Work { Work(rawValue: 2) }
    /// Watches the file.
    static var watch: Work { Work(rawValue: 4) }
  }

  /// The present turn; nil if the file is free.
  private(set) var current: Number?
  private var lastNumber: Number = 0
  private var waiters: PriorityQueue<Waiter>?
  /// The waiters that need no turn once the file has been read. Some may have stopped waiting.
  private var readers: [PriorityQueue<Waiter>.Ticket] = []
  private var work: Work = []

  /// Begins a turn if the file is free.
  mutating func begin() -> Number? {
    if current != nil { return nil }
    lastNumber += 1
    current = lastNumber
    return lastNumber
  }

  /// Adds a waiter while the file is not free.
  mutating func append(
    _ waiter: Waiter, priority: UInt8, isReader: Bool = false
  ) -> PriorityQueue<Waiter>.Ticket {
    var queue = waiters ?? PriorityQueue()
    waiters = nil
    let ticket = queue.append(waiter, priority: priority)
    waiters = queue
    if isReader { readers.append(ticket) }
    return ticket
  }

  /// Removes a waiter that stops waiting.
  ///
  /// - Returns: Nil if its turn has begun, or the file has been read for it.
  mutating func remove(_ ticket: PriorityQueue<Waiter>.Ticket) -> Waiter? {
    waiters?.remove(ticket)
  }

  /// Ends a turn, unless that was the turn of a parent process.
  ///
  /// - Returns: The waiter whose turn begins.
  mutating func end(_ turn: Number) -> (turn: Number, waiter: Waiter)? {
    guard current == turn else { return nil }
    current = nil
    guard let waiter = waiters?.popFirst() else {
      waiters = nil
      readers = []
      return nil
    }
    return begin().map { ($0, waiter) }
  }

  /// Removes the waiters that need no turn once the file has been read.
  mutating func takeReaders() -> [Waiter] {
    let tickets = exchange(&readers, with: [])
    return tickets.compactMap { waiters?.remove($0) }
  }

  /// Adds work for the background.
  ///
  /// - Returns: Whether a turn has to be asked for; otherwise one will do that work, too.
  mutating func add(_ new: Work) -> Bool {
    defer { work.formUnion(new) }
    return work.isEmpty
  }

  /// Removes the work that a turn in the background is about to do.
  mutating func takeWork() -> Work { exchange(&work, with: []) }

  /// Forgets the turn and the waiters of the parent, in a forked child.
  mutating func reset() {
    let last = lastNumber
    self = TurnQueue()
    lastNumber = last
  }
}
