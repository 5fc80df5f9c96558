/// The alignment of two arrays by their common elements.
package struct ArrayAlignment {
  /// Ranges of elements that differ between the same common neighbors.
  package struct Change {
    package let first: Range<Int>
    package let second: Range<Int>

    /// The indices of elements that replace one another, and of the elements that only the longer
    /// range has.
    package var pairs: [(first: Int?, second: Int?)] {
      (0..<max(first.count, second.count)).map { offset in
        (
          offset < first.count ? first.lowerBound + offset : nil,
          offset < second.count ? second.lowerBound + offset : nil
        )
      }
    }
  }

  package private(set) var changes: [Change] = []

  /// The maximum number of elements between the common prefix and suffix. Finding the fewest
  /// changes takes quadratic time, so more elements than this are matched by their indices.
  package static let limit = 5000

  package init(of first: [PlistValue], with second: [PlistValue]) {
    var start = 0
    while start < min(first.count, second.count), first[start] == second[start] { start += 1 }
    var (end, otherEnd) = (first.count, second.count)
    while end > start, otherEnd > start, first[end - 1] == second[otherEnd - 1] {
      (end, otherEnd) = (end - 1, otherEnd - 1)
    }
    guard start < end || start < otherEnd else { return }
    // A single changed element needs no alignment.
    guard start < end, start < otherEnd, end - start + otherEnd - start > 2,
      end - start + otherEnd - start <= Self.limit
    else {
      changes = [Change(first: start..<end, second: start..<otherEnd)]
      return
    }

    // Elements are compared many times, and numbers compare faster than values.
    var numbers: [PlistValue: Int] = [:]
    func number(_ value: PlistValue) -> Int {
      if let number = numbers[value] { return number }
      numbers[value] = numbers.count
      return numbers.count - 1
    }
    let old = first[start..<end].map(number)
    let new = second[start..<otherEnd].map(number)
    let difference = new.difference(from: old)
    var removed = Array(repeating: false, count: old.count)
    var inserted = Array(repeating: false, count: new.count)
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed[offset] = true
      case .insert(let offset, _, _): inserted[offset] = true
      }
    }

    var (index, other) = (0, 0)
    while index < old.count || other < new.count {
      let (firstStart, secondStart) = (index, other)
      while index < old.count, removed[index] { index += 1 }
      while other < new.count, inserted[other] { other += 1 }
      if firstStart < index || secondStart < other {
        changes.append(
          Change(
            first: start + firstStart..<start + index, second: start + secondStart..<start + other))
      }
      (index, other) = (index + 1, other + 1)
    }
  }
}
