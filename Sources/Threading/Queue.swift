/// Elements that are removed in the order they were added.
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
