/// A container that a writer is in the middle of. Writers keep these on a stack of their own, so that
/// the depth of a value does not become the depth of the call stack.
package struct OpenContainer {
  /// Dictionary, array or set.
  package let kind: PlistValue.Kind
  private let dictionary: PlistDictionary
  /// The positions of the dictionary's entries in the order of the walk; nil for its own order.
  private let positions: [Int]?
  private let elements: [PlistValue]
  /// How many values there are.
  let count: Int

  /// The index, in the order of this walk, of the value that ``next()`` gave last, or -1 before that.
  package internal(set) var index = -1

  /// The entries of a dictionary.
  package init(_ dictionary: PlistDictionary, order: PlistWriteOptions.KeyOrder) {
    kind = .dictionary
    self.dictionary = dictionary
    positions = order == .sorted ? dictionary.sortedPositions() : nil
    elements = []
    count = dictionary.count
  }

  /// The elements of an array or a set.
  package init(_ elements: [PlistValue], kind: PlistValue.Kind = .array) {
    self.kind = kind
    dictionary = PlistDictionary()
    positions = nil
    self.elements = elements
    count = elements.count
  }

  /// Whether there are no values.
  package var isEmpty: Bool { count == 0 }

  /// The next value; nil after the last.
  package mutating func next() -> PlistValue? {
    guard index + 1 < count else { return nil }
    index += 1
    return kind == .dictionary ? dictionary.value(at: position(index)) : elements[index]
  }

  /// The key of the value that ``next()`` gave last; nil in an array or set.
  package var key: String? {
    kind == .dictionary && index >= 0 ? key(at: index) : nil
  }

  /// The key of a dictionary's value, by the index in this walk.
  func key(at index: Int) -> String { dictionary.key(at: position(index)) }

  /// The part of a key path that leads to the value that ``next()`` gave last.
  package var component: String {
    key ?? String(index)
  }

  @inline(__always)
  private func position(_ index: Int) -> Int {
    positions.map { $0[index] } ?? index
  }
}
