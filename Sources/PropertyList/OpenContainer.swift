/// A container that a writer is in the middle of. Writers keep these on a stack of their own, so that
/// the depth of a value does not become the depth of the call stack.
package struct OpenContainer {
  private enum Content {
    case dictionary(PlistDictionary, positions: [Int]?)
    case elements([PlistValue])
  }

  /// Dictionary, array or set.
  package let kind: PlistValue.Kind
  private let content: Content
  private let count: Int
  private var passed = 0

  /// The entries of a dictionary.
  package init(_ dictionary: PlistDictionary, order: PlistWriteOptions.KeyOrder) {
    kind = .dictionary
    content = .dictionary(
      dictionary, positions: order == .sorted ? dictionary.sortedPositions() : nil)
    count = dictionary.count
  }

  /// The elements of an array or a set.
  package init(_ elements: [PlistValue], kind: PlistValue.Kind = .array) {
    self.kind = kind
    content = .elements(elements)
    count = elements.count
  }

  /// Whether there are no values.
  package var isEmpty: Bool { count == 0 }

  /// The next value; nil after the last.
  package mutating func next() -> PlistValue? {
    guard passed < count else { return nil }
    passed += 1
    return switch content {
    case .dictionary(let dictionary, let positions):
      dictionary[positions?[passed - 1] ?? passed - 1].value
    case .elements(let elements):
      elements[passed - 1]
    }
  }

  /// The index, in the order of this walk, of the value that ``next()`` gave last.
  package var index: Int { passed - 1 }

  /// The key of the value that ``next()`` gave last; nil in an array or set.
  package var key: String? {
    guard case .dictionary(let dictionary, let positions) = content, passed > 0 else { return nil }
    return dictionary[positions?[index] ?? index].key
  }

  /// The part of a key path that leads to the value that ``next()`` gave last.
  package var component: String {
    key ?? String(index)
  }
}
