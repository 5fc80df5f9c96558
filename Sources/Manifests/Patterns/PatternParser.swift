internal import PropertyList

/// Parses regular expressions in the syntax of ICU, as far as a set of states can match them.
struct PatternParser {
  /// How deeply groups may be nested.
  private static let maximumDepth = 100
  /// How many quantifiers may follow one another.
  private static let maximumQuantifiers = 4

  private struct Flags {
    var ignoresCase = false
    var dotMatchesLineBreaks = false
    var isMultiline = false
  }

  private let text: [Unicode.Scalar]
  private var position = 0
  private var flags = Flags()
  private var depth = 0

  static func parse(_ text: String) throws(PatternError) -> PatternNode {
    var parser = PatternParser(text: Array(text.unicodeScalars))
    let node = try parser.parseChoice()
    guard parser.position == parser.text.count else { throw .malformed(") has no (") }
    return node
  }

  private init(text: [Unicode.Scalar]) {
    self.text = text
  }

  // MARK: Characters

  private func peek(_ offset: Int = 0) -> Unicode.Scalar? {
    position + offset < text.count ? text[position + offset] : nil
  }

  private mutating func next() -> Unicode.Scalar? {
    guard let scalar = peek() else { return nil }
    position += 1
    return scalar
  }

  /// Skips the words if they come next.
  private mutating func skip(_ words: String) -> Bool {
    let scalars = Array(words.unicodeScalars)
    guard text[position...].starts(with: scalars) else { return false }
    position += scalars.count
    return true
  }

  private func set(_ scalar: Unicode.Scalar) -> PatternNode {
    var set = ScalarSet()
    set.insert(scalar)
    set.ignoresCase = flags.ignoresCase
    return .set(set)
  }

  private func set(_ trait: ScalarSet.Trait, isNegated: Bool = false) -> PatternNode {
    var set = ScalarSet()
    set.insert(trait, isNegated: isNegated)
    return .set(set)
  }

  // MARK: Structure

  private mutating func parseChoice() throws(PatternError) -> PatternNode {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else { throw .unsupported("deeply nested groups") }
    var choices = [try parseSequence()]
    while peek() == "|" {
      position += 1
      choices.append(try parseSequence())
    }
    return choices.count == 1 ? choices[0] : .choice(choices)
  }

  private mutating func parseSequence() throws(PatternError) -> PatternNode {
    var parts: [PatternNode] = []
    while let scalar = peek(), scalar != "|", scalar != ")" {
      for part in try parseAtom() { parts.append(part) }
      var quantifiers = 0
      while let (minimum, maximum) = try parseQuantifier() {
        guard let part = parts.popLast() else { throw .malformed("nothing to repeat") }
        parts.append(.repetition(part, minimum: minimum, maximum: maximum))
        quantifiers += 1
        guard quantifiers <= Self.maximumQuantifiers else {
          throw .unsupported("many quantifiers in a row")
        }
      }
    }
    return parts.count == 1 ? parts[0] : .sequence(parts)
  }

  private mutating func parseQuantifier() throws(PatternError) -> (Int, Int?)? {
    let bounds: (Int, Int?)
    switch peek() {
    case "*": bounds = (0, nil)
    case "+": bounds = (1, nil)
    case "?": bounds = (0, 1)
    case "{":
      guard let counts = try parseCounts() else { return nil }
      bounds = counts
      position -= 1
    default: return nil
    }
    position += 1
    if peek() == "+" { throw .unsupported("possessive quantifiers") }
    // Lazy repetition matches the same texts.
    if peek() == "?" { position += 1 }
    return bounds
  }

  /// Parses `{2}`, `{2,}` or `{2,3}`; nil for a brace that stands for itself.
  private mutating func parseCounts() throws(PatternError) -> (Int, Int?)? {
    let start = position
    position += 1
    func count(_ digits: [Unicode.Scalar]) -> Int {
      Int(String(String.UnicodeScalarView(digits))) ?? .max - 1
    }
    func isDigit(_ scalar: Unicode.Scalar?) -> Bool { scalar.map { "0"..."9" ~= $0 } ?? false }
    var digits: [[Unicode.Scalar]] = [[]]
    while let scalar = next(), scalar != "}" {
      if isDigit(scalar) {
        digits[digits.count - 1].append(scalar)
      } else if scalar == ",", digits.count == 1 {
        digits.append([])
      } else {
        position = start
        return nil
      }
    }
    guard text[position - 1] == "}", position > start + 2 else {
      position = start
      return nil
    }
    guard !digits[0].isEmpty else { throw .unsupported("{,n}") }
    let minimum = count(digits[0])
    let maximum = digits.count == 1 ? minimum : digits[1].isEmpty ? nil : count(digits[1])
    if let maximum, maximum < minimum { throw .malformed("{m,n} has a maximum below its minimum") }
    return (minimum, maximum)
  }

  /// Parses a part that a quantifier may follow: several only for quoted text.
  private mutating func parseAtom() throws(PatternError) -> [PatternNode] {
    guard let scalar = next() else { return [] }
    switch scalar {
    case "(": return [try parseGroup()]
    case "[": return [.set(try parseClass())]
    case ".":
      return [flags.dotMatchesLineBreaks ? set(.any) : set(.lineBreak, isNegated: true)]
    case "^": return [.assertion(flags.isMultiline ? .lineStart : .textStart)]
    case "$": return [.assertion(flags.isMultiline ? .lineEnd : .finalLineEnd)]
    case "\\": return try parseEscape()
    case "*", "+", "?": throw .malformed("nothing to repeat before \(scalar)")
    default: return [set(scalar)]
    }
  }

  private mutating func parseGroup() throws(PatternError) -> PatternNode {
    let outer = flags
    if skip("?") {
      if skip("#") {
        while let scalar = next() { if scalar == ")" { return .empty } }
        throw .malformed("( is never closed")
      }
      if skip("=") || skip("!") || skip("<=") || skip("<!") { throw .unsupported("look-around") }
      if skip(">") { throw .unsupported("atomic groups") }
      if skip("P<") || skip("<") {
        while let scalar = next(), scalar != ">" {
          guard scalar.isWordCharacter else { throw .malformed("a group's name is malformed") }
        }
      } else if !skip(":") {
        // The flags of the rest of the enclosing group, or of this one.
        guard try parseFlags() else { return .empty }
      }
    }
    let node = try parseChoice()
    guard next() == ")" else { throw .malformed("( is never closed") }
    flags = outer
    return node
  }

  /// Parses `i-s` and what follows it.
  ///
  /// - Returns: Whether a group follows.
  private mutating func parseFlags() throws(PatternError) -> Bool {
    var isSet = true
    while let scalar = next() {
      switch scalar {
      case "i": flags.ignoresCase = isSet
      case "s": flags.dotMatchesLineBreaks = isSet
      case "m": flags.isMultiline = isSet
      case "-": isSet = false
      case ")": return false
      case ":": return true
      default: throw .unsupported("(?\(scalar)".onOneLine)
      }
    }
    throw .malformed("( is never closed")
  }

  // MARK: Escapes

  private mutating func parseEscape() throws(PatternError) -> [PatternNode] {
    switch peek() {
    case nil: throw .malformed(#"\ is the last character"#)
    case "A": position += 1; return [.assertion(.textStart)]
    case "z": position += 1; return [.assertion(.textEnd)]
    case "Z": position += 1; return [.assertion(.finalLineEnd)]
    case "b": position += 1; return [.assertion(.wordBoundary)]
    case "B": position += 1; return [.assertion(.noWordBoundary)]
    case "Q":
      position += 1
      var parts: [PatternNode] = []
      while !skip("\\E"), let scalar = next() { parts.append(set(scalar)) }
      return parts
    case "1", "2", "3", "4", "5", "6", "7", "8", "9", "k": throw .unsupported("back-references")
    default:
      switch try parseClassEscape() {
      case .scalar(let scalar): return [set(scalar)]
      case .trait(let trait, let isNegated): return [set(trait, isNegated: isNegated)]
      }
    }
  }

  private enum Escape {
    case scalar(Unicode.Scalar)
    case trait(ScalarSet.Trait, isNegated: Bool)
  }

  /// Parses an escape that is also allowed in brackets, after its backslash.
  private mutating func parseClassEscape() throws(PatternError) -> Escape {
    guard let scalar = next() else { throw .malformed(#"\ is the last character"#) }
    switch scalar {
    case "d", "D": return .trait(.digit, isNegated: scalar == "D")
    case "w", "W": return .trait(.word, isNegated: scalar == "W")
    case "s", "S": return .trait(.space, isNegated: scalar == "S")
    case "h", "H": return .trait(.horizontalSpace, isNegated: scalar == "H")
    case "v", "V": return .trait(.lineBreak, isNegated: scalar == "V")
    case "t": return .scalar("\t")
    case "n": return .scalar("\n")
    case "r": return .scalar("\r")
    case "f": return .scalar("\u{C}")
    case "a": return .scalar("\u{7}")
    case "e": return .scalar("\u{1B}")
    case "x":
      if skip("{") { return .scalar(try parseCode(end: "}")) }
      return .scalar(try parseCode(count: 2))
    case "u": return .scalar(try parseCode(count: 4))
    case "U": return .scalar(try parseCode(count: 8))
    case "p", "P": return .trait(try parseProperty(), isNegated: scalar == "P")
    default:
      let isLetter = "a"..."z" ~= scalar || "A"..."Z" ~= scalar || "0"..."9" ~= scalar
      if isLetter { throw .unsupported("\\\(scalar)") }
      return .scalar(scalar)
    }
  }

  private mutating func parseCode(
    count: Int = 8, end: Unicode.Scalar? = nil
  ) throws(PatternError) -> Unicode.Scalar {
    var digits = ""
    while digits.utf8.count < count, let scalar = peek(), scalar.properties.isASCIIHexDigit {
      digits.unicodeScalars.append(scalar)
      position += 1
    }
    if let end, next() != end { throw .malformed("a character's code is malformed") }
    guard end != nil || digits.utf8.count == count, let code = UInt32(digits, radix: 16),
      let scalar = Unicode.Scalar(code)
    else { throw .malformed("a character's code is malformed") }
    return scalar
  }

  private mutating func parseProperty() throws(PatternError) -> ScalarSet.Trait {
    var name = ""
    if skip("{") {
      while let scalar = next(), scalar != "}" { name.unicodeScalars.append(scalar) }
    } else if let scalar = next() {
      name.unicodeScalars.append(scalar)
    }
    guard let trait = ScalarSet.Trait(name: name) else {
      throw .unsupported("an unknown property")
    }
    return trait
  }

  // MARK: Classes

  /// Parses a class after its opening bracket.
  private mutating func parseClass() throws(PatternError) -> ScalarSet {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else { throw .unsupported("deeply nested brackets") }
    var set = ScalarSet()
    set.ignoresCase = flags.ignoresCase
    set.isNegated = skip("^")
    var isFirst = true
    var followsSet = false
    while let scalar = next() {
      if scalar == "]", !isFirst { return set }
      isFirst = false
      let isOperation =
        scalar == "&" && peek() == "&"
        || scalar == "-" && followsSet && (peek() == "-" || peek() == "[")
      if isOperation {
        throw .unsupported("operations on sets in brackets")
      }
      followsSet = false
      let first: Unicode.Scalar
      switch scalar {
      case "[":
        if skip(":") {
          set.insert(try parsePOSIXClass())
        } else {
          set.insert(try parseClass())
          followsSet = true
        }
        continue
      case "\\":
        if peek() == "b" {
          position += 1
          first = "\u{8}"
          break
        }
        switch try parseClassEscape() {
        case .scalar(let scalar): first = scalar
        case .trait(let trait, let isNegated):
          set.insert(trait, isNegated: isNegated)
          continue
        }
      default: first = scalar
      }
      try parseRange(from: first, into: &set)
    }
    throw .malformed("[ is never closed")
  }

  /// Inserts a character, or a range if a hyphen and another character follow.
  private mutating func parseRange(
    from first: Unicode.Scalar, into set: inout ScalarSet
  ) throws(PatternError) {
    guard peek() == "-", let end = peek(1), end != "]", end != "[" else { return set.insert(first) }
    position += 2
    var last = end
    if end == "\\" {
      switch try parseClassEscape() {
      case .scalar(let scalar): last = scalar
      case .trait(let trait, let isNegated):
        set.insert(first)
        set.insert("-")
        return set.insert(trait, isNegated: isNegated)
      }
    }
    guard first <= last else { throw .malformed("a range in brackets ends before it begins") }
    set.insert(first, through: last)
  }

  private mutating func parsePOSIXClass() throws(PatternError) -> ScalarSet {
    var set = ScalarSet()
    set.isNegated = skip("^")
    var name = ""
    while !skip(":]") {
      guard let scalar = next() else { throw .malformed("[: is never closed") }
      name.unicodeScalars.append(scalar)
    }
    guard let trait = ScalarSet.Trait(name: name) else {
      throw .unsupported("an unknown class in brackets")
    }
    set.insert(trait)
    return set
  }
}

/// A part of a regular expression.
indirect enum PatternNode: Sendable {
  case empty
  case set(ScalarSet)
  case assertion(PatternAssertion)
  case sequence([PatternNode])
  case choice([PatternNode])
  /// A part that occurs this many times; without a maximum, any number from the minimum on.
  case repetition(PatternNode, minimum: Int, maximum: Int?)

  /// Roughly how many instructions and items of sets the part takes: at least one, at most the
  /// largest integer.
  var size: Int {
    switch self {
    case .empty, .assertion: 1
    case .set(let set): set.itemCount
    case .sequence(let parts), .choice(let parts):
      parts.reduce(parts.count + 1) { $0.addingSaturating($1.size) }
    case .repetition(let part, let minimum, let maximum):
      (part.size.addingSaturating(2)).multiplyingSaturating(
        by: max(1, maximum ?? (minimum == .max ? minimum : minimum + 1)))
    }
  }
}

/// A condition on a position of the text.
enum PatternAssertion: Sendable {
  case textStart
  case textEnd
  /// The end of the text, or before the line break that ends it.
  case finalLineEnd
  case lineStart
  case lineEnd
  case wordBoundary
  case noWordBoundary

  func holds(at position: Int, in text: [Unicode.Scalar]) -> Bool {
    switch self {
    case .textStart: position == 0
    case .textEnd: position == text.count
    case .finalLineEnd:
      position == text.count || position == text.count - 1 && text[position].isLineBreak
        || position == text.count - 2 && text[position] == "\r" && text[position + 1] == "\n"
    case .lineStart: position == 0 || text[position - 1].isLineBreak
    case .lineEnd: position == text.count || text[position].isLineBreak
    case .wordBoundary: Self.isWordBoundary(position, in: text)
    case .noWordBoundary: !Self.isWordBoundary(position, in: text)
    }
  }

  private static func isWordBoundary(_ position: Int, in text: [Unicode.Scalar]) -> Bool {
    let before = position > 0 && text[position - 1].isWordCharacter
    let after = position < text.count && text[position].isWordCharacter
    return before != after
  }
}

extension Int {
  fileprivate func addingSaturating(_ other: Int) -> Int {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? .max : sum
  }

  fileprivate func multiplyingSaturating(by other: Int) -> Int {
    let (product, overflows) = multipliedReportingOverflow(by: other)
    return overflows ? .max : product
  }
}
