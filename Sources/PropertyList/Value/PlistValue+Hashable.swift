internal import FoundationEssentials

extension PlistValue: Hashable {
  /// Returns whether both values are of the same kind and equal.
  public static func == (left: PlistValue, right: PlistValue) -> Bool {
    switch (left, right) {
    case (.dictionary, .dictionary), (.array, .array), (.set, .set):
      var comparison = PlistComparison()
      return comparison.areEqualThroughout(left, right)
    case (.string(let a), .string(let b)): return a.hasSameBytes(as: b)
    case (.integer(let a), .integer(let b)): return a == b
    case (.unsignedInteger(let a), .unsignedInteger(let b)): return a == b
    case (.integer(let a), .unsignedInteger(let b)): return a == b
    case (.unsignedInteger(let a), .integer(let b)): return a == b
    case (.real(let a), .real(let b)): return sameNumber(a, b)
    case (.float(let a), .float(let b)): return sameNumber(Double(a), Double(b))
    case (.real(let a), .float(let b)): return sameNumber(a, Double(b))
    case (.float(let a), .real(let b)): return sameNumber(Double(a), b)
    case (.boolean(let a), .boolean(let b)): return a == b
    case (.date(let a), .date(let b)):
      return sameNumber(a.timeIntervalSinceReferenceDate, b.timeIntervalSinceReferenceDate)
    case (.data(let a), .data(let b)): return a == b
    case (.uid(let a), .uid(let b)): return a == b
    case (.null, .null): return true
    default: return false
    }
  }

  /// Feeds the kind and the value into the hasher.
  public func hash(into hasher: inout Hasher) {
    var hashing = PlistHashing()
    hashing.combine(self, into: &hasher)
  }

  private static func sameNumber(_ left: Double, _ right: Double) -> Bool {
    left == right || (left.isNaN && right.isNaN)
  }
}

extension PlistDictionary: Hashable {
  /// Returns whether both dictionaries have equal values for the same keys, in any order.
  public static func == (left: PlistDictionary, right: PlistDictionary) -> Bool {
    var comparison = PlistComparison()
    return comparison.areEqualThroughout(.dictionary(left), .dictionary(right))
  }

  /// Feeds the entries into the hasher regardless of their order.
  public func hash(into hasher: inout Hasher) {
    var hashing = PlistHashing()
    hashing.combine(self, into: &hasher)
  }
}

/// The comparison of two values. Containers that the values share are compared once, so that the
/// time depends on the size of the values in memory, not on how often their parts occur. Containers
/// nested deeper than a few levels are compared after the others, so that a value of any depth,
/// unless it contains sets, needs little of the stack.
private struct PlistComparison {
  /// Two containers, one of each value.
  private struct Pair: Hashable {
    var left: ContainerIdentity
    var right: ContainerIdentity

    init?(_ left: PlistValue, _ right: PlistValue) {
      guard let left = ContainerIdentity(left), let right = ContainerIdentity(right) else {
        return nil
      }
      (self.left, self.right) = (left, right)
    }
  }

  private var results: [Pair: Bool] = [:]
  private var count = 0
  private var hashing = PlistHashing()
  /// The number of containers around the compared ones that are on the stack.
  private var depth = 0
  private var waiting: [(PlistValue, PlistValue)] = []

  private static let maximumDepth = 64

  mutating func areEqualThroughout(_ left: PlistValue, _ right: PlistValue) -> Bool {
    guard areEqual(left, right) else { return false }
    while let (left, right) = waiting.popLast() {
      guard areEqual(left, right) else { return false }
    }
    return true
  }

  /// Returns whether two values are equal, provided that the containers that wait are.
  private mutating func areEqual(_ left: PlistValue, _ right: PlistValue) -> Bool {
    switch (left, right) {
    case (.dictionary(let a), .dictionary(let b)):
      return remembering(left, right) { $0.areEqual(a, b) }
    case (.array(let a), .array(let b)):
      return remembering(left, right) { $0.haveEqualElements(a, b) }
    case (.set(let a), .set(let b)): return remembering(left, right) { $0.haveSameElements(a, b) }
    default: return left == right
    }
  }

  /// Returns the remembered result for two containers, or the result of the closure.
  private mutating func remembering(
    _ left: PlistValue, _ right: PlistValue, _ compare: (inout Self) -> Bool
  ) -> Bool {
    guard let pair = Pair(left, right) else { return compare(&self) }
    if pair.left == pair.right { return true }
    if let known = results.isEmpty ? nil : results[pair] { return known }
    if depth == Self.maximumDepth {
      waiting.append((left, right))
      return true
    }
    depth += 1
    let areEqual = compare(&self)
    depth -= 1
    count += 1
    if count > ContainerMemo<Bool>.freeCount { results[pair] = areEqual }
    return areEqual
  }

  private mutating func areEqual(_ left: PlistDictionary, _ right: PlistDictionary) -> Bool {
    if left.shape === right.shape { return haveEqualElements(left.contents, right.contents) }
    guard left.count == right.count else { return false }
    for position in left.indices {
      let (key, value) = left[position]
      if right.key(at: position).hasSameBytes(as: key) {
        guard areEqual(value, right.contents[position]) else { return false }
      } else {
        guard let other = right[key], areEqual(value, other) else { return false }
      }
    }
    return true
  }

  private mutating func haveEqualElements(_ left: [PlistValue], _ right: [PlistValue]) -> Bool {
    guard left.count == right.count else { return false }
    for (left, right) in zip(left, right) {
      guard areEqual(left, right) else { return false }
    }
    return true
  }

  /// Returns whether two sets contain equal elements equally often; only elements with the same
  /// hash are compared.
  private mutating func haveSameElements(_ left: [PlistValue], _ right: [PlistValue]) -> Bool {
    guard left.count == right.count else { return false }
    var candidates: [Int: [PlistValue]] = [:]
    for element in right { candidates[hashing.hash(of: element), default: []].append(element) }
    for element in left {
      let hash = hashing.hash(of: element)
      guard let match = candidates[hash]?.lastIndex(where: { areEqualElements(element, $0) }) else {
        return false
      }
      candidates[hash]?.remove(at: match)
    }
    return true
  }

  /// Compares elements of sets, which must not wait, since the result decides what is compared next.
  private mutating func areEqualElements(_ left: PlistValue, _ right: PlistValue) -> Bool {
    let outer = (depth, waiting)
    (depth, waiting) = (0, [])
    defer { (depth, waiting) = outer }
    if areEqualThroughout(left, right) { return true }
    // Some containers may have counted as equal because a part of them was waiting.
    results = [:]
    return false
  }
}

/// The hashing of a value. Containers that the value shares are hashed once.
private struct PlistHashing {
  private var hashes = ContainerMemo<Int>()

  mutating func hash(of value: PlistValue) -> Int {
    if let known = hashes.result(for: value) { return known }
    var hasher = Hasher()
    combine(value, into: &hasher)
    let hash = hasher.finalize()
    hashes.insert(hash, for: value)
    return hash
  }

  mutating func combine(_ value: PlistValue, into hasher: inout Hasher) {
    hasher.combine(value.kind)
    switch value {
    case .dictionary(let dictionary): combine(dictionary, into: &hasher)
    case .array(let elements):
      hasher.combine(elements.count)
      for element in elements { hasher.combine(hash(of: element)) }
    case .set(let elements):
      hasher.combine(elements.count)
      // A sum is used, because two equal elements would cancel each other in an exclusive or.
      hasher.combine(elements.reduce(0) { $0 &+ hash(of: $1) })
    case .string(let string): string.hashBytes(into: &hasher)
    case .integer(let number): hasher.combine(number)
    case .unsignedInteger(let number):
      if let signed = Int64(exactly: number) {
        hasher.combine(signed)
      } else {
        hasher.combine(number)
      }
    case .real(let number): combine(number, into: &hasher)
    case .float(let number): combine(Double(number), into: &hasher)
    case .boolean(let boolean): hasher.combine(boolean)
    case .date(let date): combine(date.timeIntervalSinceReferenceDate, into: &hasher)
    case .data(let data): hasher.combine(data)
    case .uid(let uid): hasher.combine(uid)
    case .null: break
    }
  }

  mutating func combine(_ dictionary: PlistDictionary, into hasher: inout Hasher) {
    var combined = 0
    for (key, value) in dictionary {
      var entryHasher = Hasher()
      key.hashBytes(into: &entryHasher)
      entryHasher.combine(hash(of: value))
      combined &+= entryHasher.finalize()
    }
    hasher.combine(dictionary.count)
    hasher.combine(combined)
  }

  private func combine(_ number: Double, into hasher: inout Hasher) {
    hasher.combine(number.isNaN ? .nan : number)
  }
}
