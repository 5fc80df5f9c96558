/// The possible sets of current instructions of a regular expression, as a table of states for
/// ASCII texts.
struct PatternTable: Sendable {
  private static let maximumInstructionCount = 256
  private static let maximumStateCount = 128
  /// How many instructions are visited to make the table.
  private static let maximumVisitCount = 40_000
  /// The state from which no text matches.
  private static let dead: UInt8 = 0

  /// The class of each ASCII character. Characters of a class are in the same sets.
  private var classes: [UInt8] = []
  private var classCount = 0
  /// For each state, the next one by class.
  private var next: [UInt8] = []
  /// Whether a text that ends in a state matches.
  private var accepts: [Bool] = [false]

  /// Makes the table; nil for an expression with too many states, or with conditions on positions
  /// within the text.
  init?(_ pattern: Pattern) {
    let isSuitable = pattern.instructions.allSatisfy { instruction in
      switch instruction {
      case .assertion(.textStart), .assertion(.textEnd), .assertion(.finalLineEnd): true
      case .assertion: false
      case .set, .split, .jump, .match: true
      }
    }
    guard isSuitable, pattern.instructions.count <= Self.maximumInstructionCount else { return nil }
    let classified = Self.classes(of: pattern.sets)
    classes = classified.classes
    classCount = classified.members.count
    var steps = Self.maximumVisitCount
    guard let start = Positions(from: [0], isAtStart: true, pattern, &steps) else { return nil }
    var numbers: [Positions: UInt8] = [:]
    var states: [Positions] = []
    next = Array(repeating: Self.dead, count: classCount)
    func number(of positions: Positions, _ table: inout PatternTable) -> UInt8? {
      if positions.sets.isEmpty, !positions.accepts { return Self.dead }
      if let number = numbers[positions] { return number }
      guard states.count < Self.maximumStateCount else { return nil }
      states.append(positions)
      table.accepts.append(positions.accepts)
      numbers[positions] = UInt8(states.count)
      return UInt8(states.count)
    }
    // The start gets its own state even if it is dead, so it is always the first state.
    states.append(start)
    accepts.append(start.accepts)
    numbers[start] = 1
    var index = 0
    while index < states.count {
      for member in classified.members {
        let targets = states[index].sets.compactMap { position -> Int? in
          guard case .set(let set) = pattern.instructions[position],
            pattern.sets[set].contains(member)
          else { return nil }
          return position + 1
        }
        guard let positions = Positions(from: targets, isAtStart: false, pattern, &steps),
          steps >= 0, let number = number(of: positions, &self)
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

  /// The instructions that may be current after a text.
  private struct Positions: Hashable {
    let sets: [Int]
    /// Whether the text may end here.
    let accepts: Bool

    /// The positions that can be reached from others without reading a character; nil if that
    /// depends on the following text.
    init?(from starts: [Int], isAtStart: Bool, _ pattern: Pattern, _ steps: inout Int) {
      let before: [Unicode.Scalar] = isAtStart ? [] : ["x"]
      let within = pattern.reached(from: starts, at: before.count, in: before + ["x"], &steps)
      let atEnd = pattern.reached(from: starts, at: before.count, in: before, &steps)
      sets = within.filter { $0 != pattern.end }
      accepts = atEnd.contains(pattern.end)
      if atEnd.filter({ $0 != pattern.end }) != sets { return nil }
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
