/// A value of one property list that another does not have at the same key path.
///
/// In a test, the differences say more than two values that are not equal:
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
  /// Equal values have no differences. Of a changed value, that of this one precedes the other.
  /// Values that share so many parts that they exceed ``PlistLimits/maximumExpansion`` are compared
  /// as a whole.
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
  /// The remaining steps, the next one last. A stack instead of recursion allows for values of any
  /// depth.
  private var remaining: [Step]
  private var report: (PlistDifference) -> Void

  private enum Step {
    case compare(Path, PlistValue, Path, PlistValue)
    case itself(PlistDifference.Side, Path, PlistValue)
    case all(PlistDifference.Side, Path, PlistValue)
  }

  /// A key path that shares its beginning with others: there is one for each remaining step.
  private final class Path: Sendable {
    private let parent: Path?
    private let component: String

    static let root = Path(nil, "")

    private init(_ parent: Path?, _ component: String) {
      (self.parent, self.component) = (parent, component)
    }

    func appending(_ component: String) -> Path { Path(self, component) }

    var components: [String] {
      var components: [String] = []
      var path = self
      while let parent = path.parent {
        components.append(path.component)
        path = parent
      }
      return components.reversed()
    }
  }

  /// Reports all differences, in the order of the keys. Of a changed value, that of the first
  /// property list is reported before that of the second.
  /// A value that is nil does not exist, so that all of the other is a difference.
  package static func compare(
    _ first: PlistValue?, with second: PlistValue?, report: (PlistDifference) -> Void
  ) {
    let step: Step
    switch (first, second) {
    case (let first?, let second?): step = .compare(.root, first, .root, second)
    case (let value?, nil): step = .all(.first, .root, value)
    case (nil, let value?): step = .all(.second, .root, value)
    case (nil, nil): return
    }
    withoutActuallyEscaping(report) { report in
      var comparison = PlistTreeComparison(remaining: [step], report: report)
      while let step = comparison.remaining.popLast() { comparison.perform(step) }
    }
  }

  private mutating func perform(_ step: Step) {
    switch step {
    case .compare(let path, .dictionary(let first), let otherPath, .dictionary(let second))
    where first.isEmpty == second.isEmpty: compare(path, first, otherPath, second)
    case .compare(let path, .array(let first), let otherPath, .array(let second))
    where first.isEmpty == second.isEmpty: compare(path, first, otherPath, second)
    case .compare(let path, .set(let first), let otherPath, .set(let second))
    where first.isEmpty == second.isEmpty: compareSets(path, first, otherPath, second)
    case .compare(let path, let first, let otherPath, let second):
      guard first != second else { return }
      // Keys may look like indices, so containers of different kinds are reported themselves.
      let areContainers = first.isFilledContainer && second.isFilledContainer
      remaining.append(.all(.second, otherPath, second))
      if areContainers { remaining.append(.itself(.second, otherPath, second)) }
      remaining.append(.all(.first, path, first))
      if areContainers { remaining.append(.itself(.first, path, first)) }
    case .itself(let side, let path, let value): report(side, path.components, value)
    case .all(let side, let path, let value): reportAll(of: value, at: path, on: side)
    }
  }

  private func report(_ side: PlistDifference.Side, _ components: [String], _ value: PlistValue) {
    report(PlistDifference(side: side, path: PlistKeyPath(components: components), value: value))
  }

  /// Reports the leaves and empty containers of a value that the other property list does not have.
  private func reportAll(of value: PlistValue, at path: Path, on side: PlistDifference.Side) {
    let outer = path.components
    var walk = PlistTreeWalk(value, keyOrder: .sorted)
    while let event = walk.next() {
      switch event {
      case .open(let container) where container.isFilledContainer: break
      case .open(let value), .leaf(let value):
        report(side, outer + walk.components(member: Self.member), value)
      case .close: break
      }
    }
  }

  /// The key path component of the elements of sets.
  private static let member = "*"

  private mutating func compare(
    _ path: Path, _ first: PlistDictionary, _ otherPath: Path,
    _ second: PlistDictionary
  ) {
    var steps: [Step] = []
    let added = second.filter { first[$0.key] == nil }.map(\.key)
    let keys = PlistDictionary((first.map(\.key) + added).map { ($0, .null) }).sortedKeys
    for key in keys {
      switch (first[key], second[key]) {
      case (let value?, let other?):
        steps.append(.compare(path.appending(key), value, otherPath.appending(key), other))
      case (let value?, nil): steps.append(.all(.first, path.appending(key), value))
      case (nil, let other?): steps.append(.all(.second, otherPath.appending(key), other))
      case (nil, nil): break
      }
    }
    remaining += steps.reversed()
  }

  private mutating func compare(
    _ path: Path, _ first: [PlistValue], _ otherPath: Path, _ second: [PlistValue]
  ) {
    var steps: [Step] = []
    for change in ArrayAlignment(of: first, with: second).changes {
      // Elements that replace others are compared with them.
      let pairs = min(change.first.count, change.second.count)
      for (index, other) in zip(change.first, change.second) {
        steps.append(
          .compare(
            path.appending(String(index)), first[index],
            otherPath.appending(String(other)), second[other]))
      }
      for index in change.first.dropFirst(pairs) {
        steps.append(.all(.first, path.appending(String(index)), first[index]))
      }
      for other in change.second.dropFirst(pairs) {
        steps.append(.all(.second, otherPath.appending(String(other)), second[other]))
      }
    }
    remaining += steps.reversed()
  }

  private mutating func compareSets(
    _ path: Path, _ first: [PlistValue], _ otherPath: Path, _ second: [PlistValue]
  ) {
    let (common, other) = (Set(first), Set(second))
    let steps: [Step] =
      first.filter { !other.contains($0) }.map { .all(.first, path.appending(Self.member), $0) }
      + second.filter { !common.contains($0) }.map {
        .all(.second, otherPath.appending(Self.member), $0)
      }
    remaining += steps.reversed()
  }
}

extension PlistValue {
  fileprivate var isFilledContainer: Bool {
    switch self {
    case .dictionary(let dictionary): !dictionary.isEmpty
    case .array(let elements), .set(let elements): !elements.isEmpty
    default: false
    }
  }
}
