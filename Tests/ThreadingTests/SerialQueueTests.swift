import TestSupport
import Testing

@testable import Threading

@Suite("A serial queue")
struct SerialQueueTests {
  /// A queue whose calls record numbers.
  private final class NumberQueue {
    private var queue = SerialQueue()
    private let calls = Recorder<Int>()

    func append(_ numbers: Int...) {
      for number in numbers { queue.append { [calls] in calls.record(number) } }
    }

    func begin() -> SerialQueue.Call? { queue.begin() }

    /// Removes all calls, and returns whether there were any.
    func removeAll() -> Bool { !queue.removeAll().isEmpty }

    /// Makes a call and those that follow it.
    func make(_ first: SerialQueue.Call?) -> [Int] {
      SerialQueue.make(first) { queue.next() }
      return calls.take()
    }
  }

  private let queue = NumberQueue()

  @Test("makes calls in order, and those that are added before the last one has returned")
  func order() {
    queue.append(1, 2)
    let first = queue.begin()
    queue.append(3)
    #expect(queue.make(first) == [1, 2, 3])
    #expect(queue.make(queue.begin()) == [])
  }

  @Test("has one caller at a time, until it finds no further call")
  func caller() {
    queue.append(1, 2)
    let first = queue.begin()
    #expect(first != nil)
    #expect(queue.begin() == nil)
    #expect(queue.make(first) == [1, 2])
    queue.append(3)
    #expect(queue.make(queue.begin()) == [3])
  }

  @Test("returns the calls that are removed, and makes none of them")
  func removal() {
    queue.append(1, 2)
    let first = queue.begin()
    #expect(queue.removeAll())
    #expect(queue.make(first) == [1])
    #expect(!queue.removeAll())
  }
}
