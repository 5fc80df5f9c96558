internal import Threading

/// The current turn at a file and the waiters. This type only decides; it does not wait.
struct TurnQueue<Waiter> {
  /// Identifies a turn. The numbers of a file's turns are unique, even in forked children.
  typealias Number = Int

  /// Work for the next background turn.
  struct Work: OptionSet, Sendable {
    let rawValue: UInt8
    static var save: Work { Work(rawValue: 1) }
    static var read: Work { Work(rawValue: 2) }
    static var watch: Work { Work(rawValue: 4) }
  }

  /// Nil if the file is free.
  private(set) var current: Number?
  private var lastNumber: Number = 0
  private var waiters: PriorityQueue<Waiter>?
  /// Waiters that need no turn once the file has been read. Some may have stopped waiting.
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

  /// Removes a waiter that stops waiting. Returns nil if its wait has already ended.
  mutating func remove(_ ticket: PriorityQueue<Waiter>.Ticket) -> Waiter? {
    waiters?.remove(ticket)
  }

  /// Ends a turn and begins the next one. The turn of a parent process is ignored.
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

  /// Adds work for the background, and returns whether to request a turn for it.
  mutating func add(_ new: Work) -> Bool {
    defer { work.formUnion(new) }
    return work.isEmpty
  }

  /// Removes and returns the work that a background turn is about to do.
  mutating func takeWork() -> Work { exchange(&work, with: []) }

  /// In a forked child, drops the parent's turn and waiters.
  mutating func reset() {
    let last = lastNumber
    self = TurnQueue()
    lastNumber = last
  }
}
