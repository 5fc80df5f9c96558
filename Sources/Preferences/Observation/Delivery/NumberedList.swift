/// Elements in the order in which they were added, each of which can be removed by its number.
///
/// Adding takes constant time and removing logarithmic time, amortized over all elements.
struct NumberedList<Element> {
  /// The elements with their numbers; nil where one was removed.
  private var places: [(number: Int, element: Element?)] = []
  private var removedCount = 0

  var isEmpty: Bool { places.isEmpty }

  /// Calls a closure with each element, in order.
  func forEach(_ body: (Element) -> Void) {
    for place in places { if let element = place.element { body(element) } }
  }

  /// Adds an element with a number that is greater than those of all elements before.
  mutating func append(_ element: Element, number: Int) {
    places.append((number, element))
  }

  /// Removes the element with a number, if there is one.
  mutating func remove(_ number: Int) {
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle].number < number { low = middle + 1 } else { high = middle }
    }
    guard low < places.count, places[low].number == number,
      exchange(&places[low].element, with: nil) != nil
    else { return }
    removedCount += 1
    if removedCount > places.count / 2 {
      places.removeAll { $0.element == nil }
      removedCount = 0
    }
  }
}
