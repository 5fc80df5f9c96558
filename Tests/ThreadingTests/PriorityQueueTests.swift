import Testing
import Threading

@Suite("A queue by priority")
struct PriorityQueueTests {
  @Test("gives elements of equal priority in order of arrival, without removed ones")
  func order() {
    var queue = PriorityQueue<Int>()
    var tickets: [PriorityQueue<Int>.Ticket] = []
    for number in 0..<12 { tickets.append(queue.append(number, priority: UInt8(number % 3))) }
    let removed = [5, 4, 5].map { queue.remove(tickets[$0]) }
    #expect(removed == [5, 4, nil])
    var order: [Int] = []
    while let next = queue.popFirst() { order.append(next) }
    #expect(order == [2, 8, 11, 1, 7, 10, 0, 3, 6, 9])
    let isEmpty = queue.isEmpty
    #expect(isEmpty)
    let late = queue.remove(tickets[0])
    #expect(late == nil)
  }
}
