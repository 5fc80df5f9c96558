/// Elements that are removed in the order in which they were added.
struct Queue<Element> {
  private var elements: [Element?] = []
  /// The index of the first element.
  private var head = 0

  var isEmpty: Bool { head == elements.count }

  mutating func append(_ element: Element) {
    elements.append(element)
  }

  mutating func popFirst() -> Element? {
    guard head < elements.count else { return nil }
    let element = elements[head].take()
    head += 1
    if head == elements.count {
      elements.removeAll(keepingCapacity: head <= 16)
      head = 0
    }
    return element
  }
}
