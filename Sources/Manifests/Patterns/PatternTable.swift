/// The sets of instructions that a regular expression may be at, as a table of states for ASCII texts.
struct PatternTable: Sendable {
  private static let maximumInstructionCount = 256
  private static let maximumStateCount = 128
  /// How many instructions are visited to make the table.
  private static let maximumVisitCount = 20_000
  /// The state that no text leaves to match.
  private static let dead: UInt8 = 0

  /// The class of each ASCII character. Those of a class are in the same sets.
  private var classes: [UInt8] = []
  private var classCount = 0
  /// For each state, the next one by class.
  private var next: [UInt8] = []
  /// Whether a text that ends in a state matches.
  private var accepts: [Bool] = [false]

  /// Makes the table; nil for an expression with too many states, or with conditions on positions
  /// within the text.
  init?(_ instructions: [Pattern.Instruction], _ sets: [CompiledSet]) {
    guard instructions.count <= Self.maximumInstructionCount else { return nil }
    let classified = Self.classes(of: sets)
    classes = classified.classes
    classCount = classified.members.count
    var walk = Walk(instructions: instructions)
    guard let start = walk.positions(from: [0], isAtStart: true) else { return nil }
    var numbers: [Walk.Positions: UInt8] = [:]
    var states: [Walk.Positions] = []
    next = Array(repeating: Self.dead, count: classCount)
    func number(of positions: Walk.Positions, _ table: inout PatternTable) -> UInt8? {
      if positions.sets.isEmpty, !positions.accepts { return Self.dead }
      if let number = numbers[positions] { return number }
      guard states.count < Self.maximumStateCount else { return nil }
      states.append(positions)
      table.accepts.append(positions.accepts)
      numbers[positions] = UInt8(states.count)
      return UInt8(states.count)
    }
    // A start that is dead is a state of its own, so that the start is always the first.
    states.append(start)
    accepts.append(start.accepts)
    numbers[start] = 1
    var index = 0
    while index < states.count {
      for member in classified.members {
        let targets = states[index].sets.compactMap { position -> Int? in
          guard case .set(let set) = instructions[position], sets[set].contains(member) else {
            return nil
          }
          return position + 1
        }
        guard let positions = walk.positions(from: targets, isAtStart: false),
          walk.visitCount <= Self.maximumVisitCount, let number = number(of: positions, &self)
        else { return nil }
        next.append(number)
      }
      index += 1
    }
  }

  /// Whether a text matches; nil for one that is not ASCII.
  ///
  /// - Parameter steps: Reduced by the number of bytes.
  func match(_ text: String, steps: inout Int) -> Bool? {
    var text = text
    return text.withUTF8 { bytes in
      steps -= bytes.count + 1
      var state = 1
      for byte in bytes {
        if byte >= 0x80 { return nil }
        state = Int(next[state * classCount + Int(classes[Int(byte)])])
      }
      return accepts[state]
    }
  }

  /// The class of each ASCII character, and a member of each class.
  private static func classes(
    of sets: [CompiledSet]
  ) -> (classes: [UInt8], members: [Unicode.Scalar]) {
    var classes = [UInt8](repeating: 0, count: 128)
    var count = 1
    // Each set divides the classes.
    for set in sets {
      var inside: [UInt8?] = Array(repeating: nil, count: count)
      var outside = Array(repeating: false, count: count)
      for byte in UInt8(0)..<128 where !set.contains(Unicode.Scalar(byte)) {
        outside[Int(classes[Int(byte)])] = true
      }
      for byte in UInt8(0)..<128 where set.contains(Unicode.Scalar(byte)) {
        let old = Int(classes[Int(byte)])
        guard outside[old] else { continue }
        let new = inside[old] ?? UInt8(count)
        if inside[old] == nil {
          inside[old] = new
          count += 1
        }
        classes[Int(byte)] = new
      }
    }
    let members = (0..<UInt8(count)).compactMap { number in
      classes.firstIndex(of: number).map { Unicode.Scalar(UInt8($0)) }
    }
    return (classes, members)
  }
}

/// Follows the instructions of a regular expression that take no character.
private struct Walk {
  /// The instructions that a text may be at.
  struct Positions: Hashable {
    var sets: [Int] = []
    /// Whether the text may end here.
    var accepts = false
  }

  let instructions: [Pattern.Instruction]
  private(set) var visitCount = 0

  init(instructions: [Pattern.Instruction]) {
    self.instructions = instructions
  }

  /// The positions that are reached from others without a character; nil if that depends on more than
  /// the start and the end of the text.
  mutating func positions(from starts: [Int], isAtStart: Bool) -> Positions? {
    var positions = Positions()
    var ends: [Int] = []
    guard
      visit(
        from: starts, isAtStart: isAtStart,
        { index, instruction in
          switch instruction {
          case .set: positions.sets.append(index)
          case .match: positions.accepts = true
          case .assertion(.textEnd), .assertion(.finalLineEnd): ends.append(index + 1)
          case .assertion, .jump, .split: break
          }
        })
    else { return nil }
    positions.sets.sort()
    guard !ends.isEmpty else { return positions }
    var reachesSet = false
    guard
      visit(
        from: ends, isAtStart: isAtStart, isAtEnd: true,
        { _, instruction in
          switch instruction {
          case .set: reachesSet = true
          case .match: positions.accepts = true
          case .assertion, .jump, .split: break
          }
        }), !reachesSet
    else { return nil }
    return positions
  }

  /// Visits what is reached; false if a condition is on another position than the start or the end.
  private mutating func visit(
    from starts: [Int], isAtStart: Bool, isAtEnd: Bool = false,
    _ body: (Int, Pattern.Instruction) -> Void
  ) -> Bool {
    var pending = starts
    var visited: Set<Int> = []
    while let index = pending.popLast() {
      guard visited.insert(index).inserted else { continue }
      visitCount += 1
      let instruction = instructions[index]
      body(index, instruction)
      switch instruction {
      case .jump(let target): pending.append(target)
      case .split(let first, let second): pending += [first, second]
      case .assertion(.textStart): if isAtStart { pending.append(index + 1) }
      case .assertion(.textEnd), .assertion(.finalLineEnd):
        if isAtEnd { pending.append(index + 1) }
      case .assertion: return false
      case .set, .match: break
      }
    }
    return true
  }
}
