internal import PropertyList

/// Writes the expressions of a value, by its plan.
struct LiteralWriter<Syntax: LiteralSyntax> {
  let plan: LiteralPlan
  /// The source so far.
  var source = ""
  /// The name of the whole value, from which those of its parts are made.
  private let name: String
  /// The containers that are called by name and still have to be written, each with its number in the
  /// plan.
  private var pending: [(value: PlistValue, number: Int)] = []
  /// How many of those have been given to be written.
  private var writtenParts = 0

  /// A writer without source.
  init(_ value: PlistValue, named name: String) throws(LiteralError) {
    plan = try LiteralPlan(of: value, limits: Syntax.limits, language: Syntax.language)
    self.name = name
  }

  /// A container with a function of its own.
  struct Part {
    let name: String
    let value: PlistValue
    /// Its number in the plan.
    let number: Int
  }

  /// The next container with a function of its own; nil where all of those that are called are written.
  mutating func nextPart() -> Part? {
    guard writtenParts < pending.count else { return nil }
    let (value, number) = pending[writtenParts]
    writtenParts += 1
    return Part(name: "\(name)_\(writtenParts)", value: value, number: number)
  }

  /// Writes the expression of a whole value or a part: its literal, or a call where it is too much for one.
  ///
  /// - Parameters:
  ///   - number: Its number in the plan where it is a container.
  ///   - indentation: How many levels the line is indented on which the expression begins.
  mutating func writeExpression(
    _ value: PlistValue, number: Int, indentation: Int
  ) throws(LiteralError) {
    guard plan.containers.indices.contains(number) else {
      source += Syntax.scalar(value)
      return
    }
    let planned = plan.containers[number]
    var next = number
    try write(
      value, next: &next, in: planned.type, indentation: indentation, isPart: planned.isLiteral)
  }

  /// Writes the values of a part as an expression each.
  ///
  /// - Parameter statement: What stands before the expression and behind it, by the key in a dictionary.
  mutating func writeElements(
    of part: Part, indentation: Int,
    _ statement: (_ key: String?) -> (before: String, behind: String)
  ) throws(LiteralError) {
    guard var container = ContainerCursor(of: part.value) else { return }
    var next = part.number + 1
    let type = plan.containers[part.number].type
    while let element = container.next() {
      let (before, behind) = statement(container.key)
      startLine(indentation)
      source += before
      try write(element, next: &next, in: type.element, indentation: indentation, isPart: false)
      source += behind
    }
  }

  /// Writes a value, level by level on the stack: the plan bounds how many there are.
  ///
  /// - Parameters:
  ///   - next: The number in the plan of the next container.
  ///   - context: The type that is expected.
  ///   - isPart: Whether the value is what the expression is for, and not within it.
  private mutating func write(
    _ value: PlistValue, next: inout Int, in context: LiteralType, indentation: Int, isPart: Bool
  ) throws(LiteralError) {
    try checkSize()
    guard var container = ContainerCursor(of: value) else {
      source += Syntax.scalar(value)
      return
    }
    let planned = plan.containers[next]
    if planned.isSeparate, !isPart {
      pending.append((value, next))
      source += call(pending.count)
      next += planned.count
      return
    }
    next += 1
    let type = context == .any ? planned.type : context
    if container.isEmpty {
      source += Syntax.empty(container.kind)
    } else {
      let brackets = Syntax.brackets(of: container.kind)
      source += brackets.opening
      while let element = container.next() {
        startLine(indentation + 1)
        if let key = container.key { source += Syntax.string(key) + ": " }
        try write(
          element, next: &next, in: type.element, indentation: indentation + 1, isPart: false)
        source += ","
      }
      startLine(indentation)
      source += brackets.closing
    }
    if context == .any { source += Syntax.annotation(planned.type) }
  }

  private func call(_ number: Int) -> String { "\(name)_\(number)()" }

  private mutating func startLine(_ indentation: Int) {
    source += "\n" + String(repeating: "  ", count: indentation)
  }

  /// Refuses a source that is longer than property lists may be.
  private func checkSize() throws(LiteralError) {
    let limit = PlistLimits().maximumSize
    if source.utf8.count > limit {
      throw LiteralError(
        kind: .tooLarge(limit: limit), language: Syntax.language, keyPath: PlistKeyPath())
    }
  }
}

extension ContainerCursor {
  /// A dictionary in the order of its keys, or an array; nil for other values.
  fileprivate init?(of value: PlistValue) {
    switch value {
    case .dictionary(let dictionary): self.init(dictionary, order: .sorted)
    case .array(let elements): self.init(elements)
    default: return nil
    }
  }
}
