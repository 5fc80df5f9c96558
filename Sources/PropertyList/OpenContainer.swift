/// A container that a writer is in the middle of. Writers keep these on a stack of their own, so that
/// the depth of a value does not become the depth of the call stack.
struct OpenContainer {
  private enum Content {
    case dictionary(PlistDictionary, positions: [Int]?)
    case elements([PlistValue])
  }

  private let content: Content
  private let count: Int
  private var passed = 0

  /// The entries of a dictionary.
  init(_ dictionary: PlistDictionary, order: PlistWriteOptions.KeyOrder) {
    content = .dictionary(
      dictionary, positions: order == .sorted ? dictionary.sortedPositions() : nil)
    count = dictionary.count
  }

  /// The elements of an array or a set.
  init(_ elements: [PlistValue]) {
    content = .elements(elements)
    count = elements.count
  }

  var isEmpty: Bool { count == 0 }

  /// Whether the value that ``next()`` gave last is the first.
  var isAtFirst: Bool { passed == 1 }

  var isDictionary: Bool {
    if case .dictionary = content { true } else { false }
  }

  /// The next value; nil after the last.
  mutating func next() -> PlistValue? {
    guard passed < count else { return nil }
    passed += 1
    return switch content {
    case .dictionary(let dictionary, let positions):
      dictionary[positions?[passed - 1] ?? passed - 1].value
    case .elements(let elements):
      elements[passed - 1]
    }
  }

  /// The key of the value that ``next()`` gave last; nil in an array.
  var key: String? {
    guard case .dictionary(let dictionary, let positions) = content, passed > 0 else { return nil }
    return dictionary[positions?[passed - 1] ?? passed - 1].key
  }

  /// The part of a key path that leads to the value that ``next()`` gave last.
  var component: String {
    key ?? String(passed - 1)
  }
}
