/// A container that a writer is in the middle of. Writers keep these on a stack of their own, so that
/// the depth of a value does not become the depth of the call stack.
package struct ContainerCursor {
  /// Dictionary, array or set.
  package let kind: PlistValue.Kind
  private let values: [PlistValue]
  /// The keys of a dictionary; empty for other containers.
  let shape: DictionaryShape
  /// The positions of the values in the order of the walk; nil for their own order.
  let positions: [Int]?

  /// The index, in the order of this walk, of the value that ``next()`` gave last, or -1 before that.
  package internal(set) var index = -1

  /// The entries of a dictionary.
  package init(_ dictionary: PlistDictionary, order: PlistWriteOptions.KeyOrder) {
    self.init(dictionary, positions: order == .sorted ? dictionary.sortedPositions() : nil)
  }

  /// The entries of a dictionary in the order of these positions; nil for its own order.
  init(_ dictionary: PlistDictionary, positions: [Int]?) {
    kind = .dictionary
    values = dictionary.contents
    shape = dictionary.shape
    self.positions = positions
  }

  /// The elements of an array or a set.
  package init(_ elements: [PlistValue], kind: PlistValue.Kind = .array) {
    self.kind = kind
    values = elements
    shape = .empty
    positions = nil
  }

  /// How many values there are.
  var count: Int { values.count }

  /// Whether there are no values.
  package var isEmpty: Bool { values.isEmpty }

  /// The next value; nil after the last.
  @inline(__always)
  package mutating func next() -> PlistValue? {
    guard index + 1 < values.count else { return nil }
    index += 1
    return values[position(index)]
  }

  /// The key of the value that ``next()`` gave last; nil in an array or set.
  package var key: String? {
    kind == .dictionary && index >= 0 ? key(at: index) : nil
  }

  /// The key of a dictionary's value, by the index in this walk.
  @inline(__always)
  func key(at index: Int) -> String { shape.keys[position(index)] }

  /// The part of a key path that leads to the value that ``next()`` gave last.
  package var component: String {
    key ?? String(index)
  }

  @inline(__always)
  private func position(_ index: Int) -> Int {
    positions.map { $0[index] } ?? index
  }
}
