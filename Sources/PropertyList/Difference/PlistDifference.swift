/// A value that one property list has at a key path, and another does not.
///
/// In a test, the differences are more helpful than two unequal values:
///
/// ```swift
/// #expect(value.differences(to: expected) == [])   // [- port: 80, + port: "80"]
/// ```
public struct PlistDifference: Sendable, Hashable {
  /// Which of two property lists has the value.
  public enum Side: Sendable, Hashable {
    /// The value that is compared.
    case first
    /// The other value.
    case second
  }

  /// The property list that has the value.
  public let side: Side
  /// The path of the value in that property list.
  public let path: PlistKeyPath
  /// A leaf or an empty container, or a container that replaces one of another kind, whose leaves
  /// follow as further differences.
  public let value: PlistValue
}

extension PlistDifference: CustomStringConvertible {
  /// A line as `plutil -diff` prints it: `- port: 80`, or `+ port: "80"` for the second side.
  public var description: String {
    let path = path.isRoot ? "" : "\(path)".onOneLine
    return "\(side == .first ? "-" : "+") \(path): \(value.exactLeafText)"
  }
}

extension PlistValue {
  /// Returns how this value differs from another: dictionaries by key, regardless of order, and
  /// arrays by inserted, removed and changed elements.
  ///
  /// Equal values have no differences. For a changed value, the old value, from this property list,
  /// precedes the new one. Values that share so many parts that they exceed ``PlistLimits/maximumExpansion``,
  /// or nest deeper than ``PlistLimits/maximumDepth``, are compared as a whole.
  public func differences(to other: PlistValue) -> [PlistDifference] {
    guard (try? checkExpansion()) != nil, (try? other.checkExpansion()) != nil else {
      let root = PlistKeyPath()
      return self == other
        ? []
        : [
          PlistDifference(side: .first, path: root, value: self),
          PlistDifference(side: .second, path: root, value: other),
        ]
    }
    var differences: [PlistDifference] = []
    PlistTreeComparison.compare(self, with: other) { differences.append($0) }
    return differences
  }
}

/// Compares property lists by key path: dictionaries by key, regardless of order, and arrays by
/// inserted, removed and changed elements.
package struct PlistTreeComparison {
  /// The paths of the compared values in the two property lists.
  private var paths: [PlistDifference.Side: [String]] = [.first: [], .second: []]
  private let report: (PlistDifference) -> Void

  /// Reports all differences, in the order of the keys. For a changed value, the first property
  /// list's value is reported before the second's. If one value is nil, everything in the other is
  /// a difference.
  package static func compare(
    _ first: PlistValue?, with second: PlistValue?, report: (PlistDifference) -> Void
  ) {
    withoutActuallyEscaping(report) { report in
      var comparison = PlistTreeComparison(report: report)
      comparison.compare(first, second)
    }
  }

  private mutating func compare(_ first: PlistValue?, _ second: PlistValue?) {
    switch (first, second) {
    case (.dictionary(let first)?, .dictionary(let second)?) where first.isEmpty == second.isEmpty:
      for key in first.sortedKeys(with: second) { compare(first[key], second[key], at: key, key) }
    case (.array(let first)?, .array(let second)?) where first.isEmpty == second.isEmpty:
      for (index, other) in ArrayAlignment(of: first, with: second).changes.flatMap(\.pairs) {
        compare(
          index.map { first[$0] }, other.map { second[$0] },
          at: index.map(String.init) ?? "", other.map(String.init) ?? "")
      }
    case (.set(let first)?, .set(let second)?) where first.isEmpty == second.isEmpty:
      let (common, other) = (Set(first), Set(second))
      for element in first where !other.contains(element) {
        compare(element, nil, at: Self.member, Self.member)
      }
      for element in second where !common.contains(element) {
        compare(nil, element, at: Self.member, Self.member)
      }
    default:
      guard first != second else { return }
      // Keys may look like indices, so containers of different kinds are themselves reported.
      let areContainers = first?.isFilledContainer == true && second?.isFilledContainer == true
      for (side, value) in [(PlistDifference.Side.first, first), (.second, second)] {
        guard let value else { continue }
        if areContainers { report(side, [], value) }
        reportAll(of: value, on: side)
      }
    }
  }

  private mutating func compare(
    _ first: PlistValue?, _ second: PlistValue?, at component: String, _ other: String
  ) {
    paths[.first]?.append(component)
    paths[.second]?.append(other)
    compare(first, second)
    paths[.first]?.removeLast()
    paths[.second]?.removeLast()
  }

  private func report(_ side: PlistDifference.Side, _ components: [String], _ value: PlistValue) {
    let path = PlistKeyPath(components: paths[side, default: []] + components)
    report(PlistDifference(side: side, path: path, value: value))
  }

  /// Reports the leaves and empty containers of a value that the other property list does not have.
  private func reportAll(of value: PlistValue, on side: PlistDifference.Side) {
    var walk = PlistTreeWalk(value, keyOrder: .sorted)
    while let event = walk.next() {
      switch event {
      case .open(let container) where container.isFilledContainer: break
      case .open(let value), .leaf(let value):
        report(side, walk.components(member: Self.member), value)
      case .close: break
      }
    }
  }

  /// The key path component of the elements of sets.
  private static let member = "*"
}

extension PlistValue {
  fileprivate var isFilledContainer: Bool {
    kind.isContainer && self != [:] && self != [] && self != .set([])
  }
}
