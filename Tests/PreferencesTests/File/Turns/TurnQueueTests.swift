import Testing
import Threading

@testable import Preferences

@Suite("The queue of turns at a file")
struct TurnQueueTests {
  /// A queue that expectations can change.
  private final class Queue {
    private var queue = TurnQueue<String>()

    var current: Int? { queue.current }
    func begin() -> Int? { queue.begin() }
    func append(
      _ waiter: String, priority: UInt8, isReader: Bool = false
    ) -> PriorityQueue<String>.Ticket {
      queue.append(waiter, priority: priority, isReader: isReader)
    }
    func remove(_ ticket: PriorityQueue<String>.Ticket) -> String? { queue.remove(ticket) }
    func end(_ turn: Int) -> (turn: Int, waiter: String)? { queue.end(turn) }
    func takeReaders() -> [String] { queue.takeReaders() }
    func add(_ work: TurnQueue<String>.Work) -> Bool { queue.add(work) }
    func takeWork() -> TurnQueue<String>.Work { queue.takeWork() }
    func reset() { queue.reset() }
  }

  @Test("gives the turn to one at a time, by priority and then in order of arrival")
  func order() throws {
    let queue = Queue()
    var turn = try #require(queue.begin())
    #expect(queue.begin() == nil)
    for (name, priority) in [("a", 1), ("b", 9), ("c", 1), ("d", 9)] {
      _ = queue.append(name, priority: UInt8(priority))
    }
    var order: [String] = []
    while let next = queue.end(turn) {
      order.append(next.waiter)
      #expect(next.turn != turn)
      turn = next.turn
    }
    #expect(order == ["b", "d", "a", "c"])
    #expect(queue.current == nil)
    #expect(queue.begin() != nil)
  }

  @Test("skips those that have stopped waiting, and says who had not")
  func removal() throws {
    let queue = Queue()
    let turn = try #require(queue.begin())
    let tickets = ["a", "b", "c"].map { queue.append($0, priority: 0) }
    #expect(queue.remove(tickets[0]) == "a")
    #expect(queue.remove(tickets[0]) == nil)
    let next = try #require(queue.end(turn))
    #expect(next.waiter == "b")
    #expect(queue.remove(tickets[1]) == nil)
    #expect(queue.remove(tickets[2]) == "c")
    #expect(queue.end(next.turn)?.waiter == nil)
  }

  @Test("lets readers go when the file has been read, and keeps the others")
  func readers() throws {
    let queue = Queue()
    let turn = try #require(queue.begin())
    _ = queue.append("reader", priority: 0, isReader: true)
    _ = queue.append("writer", priority: 0)
    let late = queue.append("late reader", priority: 0, isReader: true)
    #expect(queue.remove(late) == "late reader")
    #expect(queue.takeReaders() == ["reader"])
    #expect(queue.takeReaders() == [])
    #expect(queue.end(turn)?.waiter == "writer")
  }

  @Test("asks for one turn in the background for all work that comes until it begins")
  func work() {
    let queue = Queue()
    #expect(queue.add(.read))
    #expect(!queue.add(.save))
    #expect(!queue.add(.read))
    #expect(queue.takeWork() == [.read, .save])
    #expect(queue.takeWork() == [])
    #expect(queue.add(.watch))
  }

  @Test("forgets the turn of a parent process, whose end it then ignores")
  func fork() throws {
    let queue = Queue()
    let old = try #require(queue.begin())
    _ = queue.append("the parent's", priority: 0)
    queue.reset()
    let new = try #require(queue.begin())
    #expect(new != old)
    _ = queue.append("the child's", priority: 0)
    #expect(queue.end(old)?.waiter == nil)
    #expect(queue.current == new)
    #expect(queue.end(new)?.waiter == "the child's")
  }
}
