import TestSupport
import Testing

@testable import Threading

@Suite("A queue")
struct QueueTests {
  @Test("returns elements in the order in which they were added")
  func order() {
    var generator = SeededGenerator(seed: 1)
    var queue = Queue<Int>()
    var expected: [Int] = []
    for number in 0..<2000 {
      if Int.random(in: 0..<100, using: &generator) < (number < 1000 ? 60 : 40) {
        queue.append(number)
        expected.append(number)
      } else {
        let (element, first) = (queue.popFirst(), expected.isEmpty ? nil : expected.removeFirst())
        #expect(element == first)
      }
      #expect(queue.isEmpty == expected.isEmpty)
    }
  }
}
