internal import InspectionPage
internal import PropertyList

extension InspectedTree {
  /// A value of one file or both, with its indices in the arrays around it; -1 where there is none.
  private enum Step {
    case both(key: String? = nil, PlistValue, PlistValue, first: Int = -1, second: Int = -1)
    case one(State, key: String? = nil, PlistValue, first: Int = -1, second: Int = -1)
    case end
  }

  /// The values of two property lists in one tree, compared as ``PlistTreeComparison`` does. Of values
  /// of different kinds that are not both leaves, both are in the tree, one after the other.
  ///
  /// - Returns: The tree, and the number of leaves that are changed and of values that only one
  ///   file has.
  static func comparing(
    _ first: PlistValue, with second: PlistValue
  ) -> (tree: InspectedTree, differenceCount: Int) {
    var tree = InspectedTree()
    var count = 0
    var remaining: [Step] = []
    tree.begin(rootOf: first, second, &remaining)
    while let step = remaining.popLast() {
      switch step {
      case .end: tree.end()
      case .one where tree.isTooLarge, .both where tree.isTooLarge: break
      case .one(let state, let key, let value, let first, let second):
        tree.add(value, key: key, Annotations(state, first: first, second: second))
        count += 1
      case .both(let key, let value, let other, let first, let second):
        if tree.add(key, value, other, (first, second), &remaining) { count += 1 }
      }
    }
    return (tree, count)
  }

  /// A tree has one root, even where the two roots are of different kinds.
  private mutating func begin(
    rootOf first: PlistValue, _ second: PlistValue, _ remaining: inout [Step]
  ) {
    let isPair =
      first.isContainer == second.isContainer
      && (!first.isContainer || first.kind == second.kind)
    guard !isPair else {
      return remaining.append(.both(first, second))
    }
    begin(.array, key: nil, Annotations(.changed, first: -1, second: -1))
    remaining = [
      .end, .one(.added, second, second: 0), .one(.removed, first, first: 0),
    ]
  }

  /// Adds a value of both files, or the beginning of a container that differs; true for a changed
  /// leaf.
  private mutating func add(
    _ key: String?, _ first: PlistValue, _ second: PlistValue, _ indices: (Int, Int),
    _ remaining: inout [Step]
  ) -> Bool {
    guard first != second else {
      add(first, key: key, Annotations(.same, first: indices.0, second: indices.1))
      return false
    }
    let changed = Annotations(.changed, first: indices.0, second: indices.1)
    let steps: [Step]
    switch (first, second) {
    case (.dictionary(let first), .dictionary(let second)):
      begin(.dictionary, key: key, changed)
      steps = Self.steps(first, second)
    case (.array(let first), .array(let second)):
      begin(.array, key: key, changed)
      steps = Self.steps(first, second)
    case (.set(let first), .set(let second)):
      begin(.set, key: key, changed)
      steps = Self.steps(ofSets: first, second)
    case _ where !first.isContainer && !second.isContainer:
      addChanged(first, to: second, key: key, changed)
      return true
    default:
      remaining.append(.one(.added, key: key, second, second: indices.1))
      remaining.append(.one(.removed, key: key, first, first: indices.0))
      return false
    }
    remaining.append(.end)
    remaining += steps.reversed()
    return false
  }

  private static func steps(_ first: PlistDictionary, _ second: PlistDictionary) -> [Step] {
    let members = first.map { key, value -> Step in
      second[key].map { .both(key: key, value, $0) } ?? .one(.removed, key: key, value)
    }
    let added = second.filter { first[$0.key] == nil }
    return members + added.map { .one(.added, key: $0.key, $0.value) }
  }

  private static func steps(_ first: [PlistValue], _ second: [PlistValue]) -> [Step] {
    var steps: [Step] = []
    var (index, other) = (0, 0)
    func addEqual(upTo end: Int) {
      while index < end {
        steps.append(.both(first[index], second[other], first: index, second: other))
        (index, other) = (index + 1, other + 1)
      }
    }
    for change in ArrayAlignment(of: first, with: second).changes {
      addEqual(upTo: change.first.lowerBound)
      for (index, other) in zip(change.first, change.second) {
        steps.append(.both(first[index], second[other], first: index, second: other))
      }
      let pairs = min(change.first.count, change.second.count)
      for index in change.first.dropFirst(pairs) {
        steps.append(.one(.removed, first[index], first: index))
      }
      for other in change.second.dropFirst(pairs) {
        steps.append(.one(.added, second[other], second: other))
      }
      (index, other) = (change.first.upperBound, change.second.upperBound)
    }
    addEqual(upTo: first.count)
    return steps
  }

  private static func steps(ofSets first: [PlistValue], _ second: [PlistValue]) -> [Step] {
    let (common, other) = (Set(first), Set(second))
    return first.map { other.contains($0) ? .both($0, $0) : .one(.removed, $0) }
      + second.filter { !common.contains($0) }.map { .one(.added, $0) }
  }
}

extension PlistValue {
  fileprivate var isContainer: Bool {
    switch self {
    case .dictionary, .array, .set: true
    default: false
    }
  }
}
