internal import InspectionPage
internal import PropertyList

extension InspectedTree {
  /// A value of one file or both, with its indices in the arrays around it.
  private enum Step {
    case values(
      key: String? = nil, PlistValue?, PlistValue?, first: Int? = nil, second: Int? = nil)
    case end
  }

  /// The values of two property lists in one tree, compared as ``PlistTreeComparison`` does. If two
  /// values have different kinds and are not both leaves, the tree contains both, one after the
  /// other.
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
      case .values where tree.isTooLarge: break
      case .values(let key, let value?, let other?, let first, let second):
        if tree.add(key, value, other, (first ?? -1, second ?? -1), &remaining) { count += 1 }
      case .values(let key, let value, let other, let first, let second):
        guard let present = value ?? other else { break }
        tree.add(
          present, key: key,
          Annotations(other == nil ? .removed : .added, first: first ?? -1, second: second ?? -1))
        count += 1
      }
    }
    return (tree, count)
  }

  /// A tree has one root, even if the two roots have different kinds.
  private mutating func begin(
    rootOf first: PlistValue, _ second: PlistValue, _ remaining: inout [Step]
  ) {
    let isContainer = first.kind.isContainer
    if isContainer == second.kind.isContainer, !isContainer || first.kind == second.kind {
      return remaining.append(.values(first, second))
    }
    begin(.array, key: nil, Annotations(.changed, first: -1, second: -1))
    remaining = [.end, .values(nil, second, second: 0), .values(first, nil, first: 0)]
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
    case _ where !first.kind.isContainer && !second.kind.isContainer:
      addChanged(first, to: second, key: key, changed)
      return true
    default:
      remaining.append(.values(key: key, nil, second, second: indices.1))
      remaining.append(.values(key: key, first, nil, first: indices.0))
      return false
    }
    remaining.append(.end)
    remaining += steps.reversed()
    return false
  }

  private static func steps(_ first: PlistDictionary, _ second: PlistDictionary) -> [Step] {
    first.map { .values(key: $0, $1, second[$0]) }
      + second.filter { first[$0.key] == nil }.map { .values(key: $0.key, nil, $0.value) }
  }

  private static func steps(_ first: [PlistValue], _ second: [PlistValue]) -> [Step] {
    var pairs: [(first: Int?, second: Int?)] = []
    var (index, other) = (0, 0)
    for change in ArrayAlignment(of: first, with: second).changes {
      pairs += zip(index..<change.first.lowerBound, other...).map { ($0, $1) } + change.pairs
      (index, other) = (change.first.upperBound, change.second.upperBound)
    }
    pairs += zip(index..<first.count, other...).map { ($0, $1) }
    return pairs.map { index, other in
      .values(index.map { first[$0] }, other.map { second[$0] }, first: index, second: other)
    }
  }

  private static func steps(ofSets first: [PlistValue], _ second: [PlistValue]) -> [Step] {
    let (common, other) = (Set(first), Set(second))
    return first.map { .values($0, other.contains($0) ? $0 : nil) }
      + second.filter { !common.contains($0) }.map { .values(nil, $0) }
  }
}
