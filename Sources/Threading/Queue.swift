/// Elements that are removed in the order in which they were added.
package struct Queue<Element> {
  private var added: [Element] = []
  /// The elements to remove next, the first one last.
  private var next: [Element] = []

  package init() {}

  package var isEmpty: Bool { added.isEmpty && next.isEmpty }

  package mutating func append(_ element: Element) {
    added.append(element)
  }

  package mutating func popFirst() -> Element? {
    if next.isEmpty {
      next = exchange(&added, with: [])
      next.reverse()
    }
    return next.popLast()
  }
}

/// A queue that returns elements by priority, and elements of equal priority in the order they were
/// added.
///
/// Adding, taking, and removing an element take constant time if there are only a few priorities.
package struct PriorityQueue<Element> {
  /// Elements of higher priority are taken first.
  package typealias Priority = UInt8

  /// Identifies an element of this queue.
  package struct Ticket: Hashable, Sendable {
    fileprivate let number: Int
  }

  private var elements: [Int: Element] = [:]
  /// The numbers of the elements by priority, the highest first, including removed elements.
  private var numbers: [(priority: Priority, ArraySlice<Int>)] = []
  private var lastNumber = 0

  package init() {}

  package var isEmpty: Bool { elements.isEmpty }

  package mutating func append(_ element: Element, priority: Priority) -> Ticket {
    lastNumber += 1
    elements[lastNumber] = element
    let index = numbers.firstIndex { $0.priority <= priority } ?? numbers.endIndex
    if index == numbers.endIndex || numbers[index].priority != priority {
      numbers.insert((priority, []), at: index)
    }
    numbers[index].1.append(lastNumber)
    return Ticket(number: lastNumber)
  }

  package mutating func popFirst() -> Element? {
    for index in numbers.indices {
      while let number = numbers[index].1.popFirst() {
        if let element = elements.removeValue(forKey: number) { return element }
      }
    }
    numbers = []
    return nil
  }

  /// Removes an element; nil if it is no longer in the queue.
  package mutating func remove(_ ticket: Ticket) -> Element? {
    elements.removeValue(forKey: ticket.number)
  }
}
