/// A position in a container that is iterated. Writers keep cursors on an explicit stack, so that
/// the depth of a value does not add to the depth of the call stack.
package struct ContainerCursor {
  /// Dictionary, array or set.
  package let kind: PlistValue.Kind
  private let values: [PlistValue]
  /// The keys of a dictionary; empty for other containers.
  let shape: DictionaryShape
  /// The positions of the values in the order of iteration; nil for the container's own order.
  let positions: [Int]?

  /// The index, in the order of iteration, of the value that ``next()`` returned last; -1 before.
  package internal(set) var index = -1

  /// A cursor before the first entry of a dictionary.
  package init(_ dictionary: PlistDictionary, order: PlistWriteOptions.KeyOrder) {
    let positions =
      switch order {
      case .sorted: dictionary.sortedPositions()
      case .natural: dictionary.naturallySortedPositions()
      case .document: nil as [Int]?
      }
    self.init(dictionary, positions: positions)
  }

  /// A cursor before the first entry of a dictionary, in the order of the positions; nil for its
  /// own order.
  init(_ dictionary: PlistDictionary, positions: [Int]?) {
    kind = .dictionary
    values = dictionary.contents
    shape = dictionary.shape
    self.positions = positions
  }

  package init(_ elements: [PlistValue], kind: PlistValue.Kind = .array) {
    self.kind = kind
    values = elements
    shape = .empty
    positions = nil
  }

  package var count: Int { values.count }

  /// The location of the container in memory; nil if it is empty.
  var identity: ContainerIdentity? {
    ContainerIdentity(
      values, isSet: kind == .set, shape: kind == .dictionary ? ObjectIdentifier(shape) : nil)
  }

  package var isEmpty: Bool { values.isEmpty }

  /// Moves to the next value and returns it; nil after the last.
  @inline(__always)
  package mutating func next() -> PlistValue? {
    guard index + 1 < values.count else { return nil }
    index += 1
    return values[position(index)]
  }

  /// The key of the value that ``next()`` returned last; nil in an array or set.
  package var key: String? { kind == .dictionary && index >= 0 ? key(at: index) : nil }

  /// The key of a dictionary's value by its index in the order of iteration.
  @inline(__always)
  func key(at index: Int) -> String { shape.keys[position(index)] }

  /// The key path component of the value that ``next()`` returned last.
  package var component: String { key ?? String(index) }

  @inline(__always)
  private func position(_ index: Int) -> Int { positions.map { $0[index] } ?? index }
}
