/// Why a regular expression cannot be matched.
enum PatternError: Error, Hashable {
  /// The text is not a regular expression, for this reason.
  case malformed(String)
  /// It is a regular expression, but this syntax is not implemented, or the expression is too
  /// large.
  case unsupported(String)
}

/// A regular expression that is matched in time proportional to the text and to its own size.
///
/// All states that the expression may be in are followed at once, and none is visited twice for a
/// character, so that no expression takes exponential time.
struct Pattern: Sendable {
  enum Outcome {
    case matches
    case differs
    /// The steps ran out.
    case unknown
  }

  /// The longest expression, in characters.
  private static let maximumLength = 10_000
  /// The most instructions of an expression whose repetitions are written out.
  private static let maximumSize = 10_000

  enum Instruction: Sendable {
    case set(Int)
    case split(Int, Int)
    case jump(Int)
    case assertion(PatternAssertion)
    case match
  }

  private(set) var instructions: [Instruction] = []
  private(set) var sets: [CompiledSet] = []
  /// The states for texts in ASCII; nil if there are too many.
  private var table: PatternTable?

  init(_ text: String) throws(PatternError) {
    guard text.unicodeScalars.count <= Self.maximumLength else {
      throw .unsupported("more than \(Self.maximumLength) characters")
    }
    let node = try PatternParser.parse(text)
    guard node.size <= Self.maximumSize else { throw .unsupported("repetitions of this size") }
    add(node)
    instructions.append(.match)
    table = PatternTable(self)
  }

  // MARK: Instructions

  private mutating func add(_ node: PatternNode) {
    switch node {
    case .empty: break
    case .set(let set):
      sets.append(CompiledSet(set))
      instructions.append(.set(sets.count - 1))
    case .assertion(let assertion): instructions.append(.assertion(assertion))
    case .sequence(let parts): for part in parts { add(part) }
    case .choice(let parts): add(choice: parts)
    case .repetition(let part, let minimum, let maximum):
      for _ in 0..<minimum { add(part) }
      if let maximum {
        add(part, optionallyUpTo: maximum - minimum)
      } else {
        let start = instructions.count
        instructions.append(.jump(0))
        add(part)
        instructions.append(.jump(start))
        instructions[start] = .split(start + 1, instructions.count)
      }
    }
  }

  private mutating func add(choice parts: [PatternNode]) {
    var ends: [Int] = []
    for part in parts.dropLast() {
      let start = instructions.count
      instructions.append(.jump(0))
      add(part)
      ends.append(instructions.count)
      instructions.append(.jump(0))
      instructions[start] = .split(start + 1, instructions.count)
    }
    if let last = parts.last { add(last) }
    for end in ends { instructions[end] = .jump(instructions.count) }
  }

  private mutating func add(_ part: PatternNode, optionallyUpTo count: Int) {
    var starts: [Int] = []
    for _ in 0..<count {
      starts.append(instructions.count)
      instructions.append(.jump(0))
      add(part)
    }
    for start in starts { instructions[start] = .split(start + 1, instructions.count) }
  }

  // MARK: Matching

  /// Matches a whole text.
  ///
  /// - Parameter steps: How many instructions may be visited. The number of visited ones is
  ///   subtracted.
  func match(_ text: String, steps: inout Int) -> Outcome {
    if let table, let isMatch = table.match(text, steps: &steps) {
      return steps < 0 ? .unknown : isMatch ? .matches : .differs
    }
    return follow(Array(text.unicodeScalars), &steps)
  }

  /// Matches a text by following the instructions.
  func follow(_ scalars: [Unicode.Scalar], _ steps: inout Int) -> Outcome {
    var states = States(count: instructions.count)
    states.begin()
    follow(from: 0, at: 0, in: scalars, &states, &steps)
    for (position, scalar) in scalars.enumerated() {
      if steps < 0 { return .unknown }
      let current = states.begin()
      if current.isEmpty { return .differs }
      for index in current {
        guard case .set(let set) = instructions[index] else { continue }
        if !scalar.isASCII { steps -= sets[set].cost }
        if sets[set].contains(scalar) {
          follow(from: index + 1, at: position + 1, in: scalars, &states, &steps)
        }
      }
    }
    if steps < 0 { return .unknown }
    return states.list.contains(end) ? .matches : .differs
  }

  /// The last instruction, which is a match.
  var end: Int { instructions.count - 1 }

  /// The sets and the end that can be reached from instructions without reading a character, in
  /// order.
  func reached(
    from starts: [Int], at position: Int, in text: [Unicode.Scalar], _ steps: inout Int
  ) -> [Int] {
    var states = States(count: instructions.count)
    states.begin()
    for start in starts { follow(from: start, at: position, in: text, &states, &steps) }
    return states.list.sorted()
  }

  /// Adds the states that can be reached without reading a character.
  private func follow(
    from start: Int, at position: Int, in text: [Unicode.Scalar], _ states: inout States,
    _ steps: inout Int
  ) {
    states.pending.append(start)
    while let index = states.pending.popLast() {
      guard states.visit(index) else { continue }
      steps -= 1
      switch instructions[index] {
      case .jump(let target): states.pending.append(target)
      case .split(let first, let second):
        states.pending.append(second)
        states.pending.append(first)
      case .assertion(let assertion):
        if assertion.holds(at: position, in: text) { states.pending.append(index + 1) }
      case .set, .match: states.list.append(index)
      }
    }
  }

  /// The instructions that are reached at a position.
  private struct States {
    var list: [Int] = []
    var pending: [Int] = []
    /// The last position where each instruction was visited.
    private var visits: [Int]
    private var number = 0

    init(count: Int) {
      visits = Array(repeating: 0, count: count)
    }

    /// Advances to the next position, and returns the instructions of the previous one.
    @discardableResult
    mutating func begin() -> [Int] {
      number += 1
      defer { list = [] }
      return list
    }

    mutating func visit(_ index: Int) -> Bool {
      if visits[index] == number { return false }
      visits[index] = number
      return true
    }
  }
}
