/// Elements in the order they were added, which can be removed by number.
///
/// Adding takes amortized constant time, and removing amortized logarithmic time.
struct NumberedList<Element> {
  /// Removed elements are nil.
  private var places: [(number: Int, element: Element?)] = []
  private var removedCount = 0

  var isEmpty: Bool { places.isEmpty }

  /// Calls a closure with each element, in order.
  func forEach(_ body: (Element) -> Void) {
    for place in places { if let element = place.element { body(element) } }
  }

  /// Adds an element. Its number must be greater than all numbers before.
  mutating func append(_ element: Element, number: Int) { places.append((number, element)) }

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
