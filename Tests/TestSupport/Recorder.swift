import Threading

/// Elements that any thread records, in order.
package final class Recorder<Element: Sendable>: Sendable {
  private let elements = Lock<[Element]>([])

  package init() {}

  package func record(_ element: Element) { elements.withLock { $0.append(element) } }

  /// The elements that have not been taken.
  package var all: [Element] { elements.withLock { $0 } }

  /// Removes and returns all elements.
  package func take() -> [Element] {
    elements.withLock { elements in
      defer { elements = [] }
      return elements
    }
  }
}
