internal import CommandLineInterface
internal import PropertyList

/// Writes the expressions of a value according to a plan.
struct LiteralWriter<Syntax: LiteralSyntax> {
  let plan: LiteralPlan
  var source = ""
  /// The name of the whole value. The names of its parts are derived from it.
  private let name: String
  /// The containers with functions of their own that the source calls, each with its number in the
  /// plan.
  private var pending: [(value: PlistValue, number: Int)] = []
  /// The number of these containers that ``nextPart()`` has returned.
  private var writtenParts = 0
  private var allowance: OutputAllowance

  init(_ value: PlistValue, named name: String) throws(LiteralError) {
    plan = try LiteralPlan(of: value, limits: Syntax.limits, language: Syntax.language)
    self.name = name
    allowance = OutputAllowance(for: value)
  }

  /// A container with a function of its own.
  struct Part {
    let name: String
    let value: PlistValue
    let number: Int
  }

  /// Returns the next container with a function of its own; nil after the last.
  mutating func nextPart() -> Part? {
    guard writtenParts < pending.count else { return nil }
    let (value, number) = pending[writtenParts]
    writtenParts += 1
    return Part(name: "\(name)_\(writtenParts)", value: value, number: number)
  }

  /// Writes the expression of the whole value or a part: its literal, or a call if it exceeds the
  /// limits.
  ///
  /// - Parameters:
  ///   - number: The number in the plan, if the value is a container.
  ///   - indentation: The indentation level of the line where the expression begins.
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

  /// Writes a statement for each element of a part: the texts before and after the expression, for
  /// a key in a dictionary and nil in an array.
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

  /// Writes a value recursively. The plan limits the depth.
  ///
  /// - Parameters:
  ///   - next: The number in the plan of the next container.
  ///   - context: The type that the context expects.
  ///   - isPart: Whether the value is the whole expression, and not nested in it.
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
        if let key = container.key { source += Syntax.string(key) + " : " }
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
    source += "\n" + String(repeating: "    ", count: indentation)
  }

  /// Throws if the source is larger than the limits of property lists allow.
  private mutating func checkSize() throws(LiteralError) {
    do throws(PlistError.Kind) {
      try allowance.check(source.utf8.count)
    } catch {
      throw LiteralError(kind: .tooLarge(error), language: Syntax.language, keyPath: PlistKeyPath())
    }
  }
}

extension ContainerCursor {
  /// A dictionary with its keys in natural order, or an array; nil for other values.
  fileprivate init?(of value: PlistValue) {
    switch value {
    case .dictionary(let dictionary): self.init(dictionary, order: .natural)
    case .array(let elements): self.init(elements)
    default: return nil
    }
  }
}

/// A programming language for literals of property lists.
enum LiteralLanguage {
  case swift, objectiveC

  /// The language's name in error texts.
  var title: String { self == .swift ? "Swift" : "Objective-C" }

  /// The article before that name.
  var article: String { self == .swift ? "a" : "an" }

  var fileExtension: String { self == .swift ? "swift" : "m" }
}

/// The syntax of literals in a language.
protocol LiteralSyntax {
  static var language: LiteralLanguage { get }
  static var limits: LiteralPlan.Limits { get }

  static func scalar(_ value: PlistValue) -> String
  /// The literal of a string or a key.
  static func string(_ string: String) -> String
  static func brackets(of kind: PlistValue.Kind) -> (opening: String, closing: String)
  static func empty(_ kind: PlistValue.Kind) -> String
  /// The text after a container of this type whose context expects any type.
  static func annotation(_ type: LiteralType) -> String
}

extension LiteralSyntax {
  /// The documentation comment of the declaration.
  static func comment(for input: InputFile) -> String {
    "/// Generated from \((input.fileName ?? input.name).onOneLine)\n"
  }
}

extension InputFile {
  fileprivate var fileName: String? {
    guard !isStandardInput else { return nil }
    return operand.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) }
  }
}

extension Unicode.Scalar {
  /// Whether the character can appear in source code unescaped, because it is visible and
  /// unambiguous. This excludes control and format characters, all spaces but the common one, and
  /// combining marks.
  var isSafeInSource: Bool {
    if isASCII { return value >= 0x20 && value != 0x7F }
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .connectorPunctuation, .dashPunctuation,
      .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation,
      .otherPunctuation, .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol:
      return true
    default: return false
    }
  }
}

/// An error for a value that cannot be written as a literal of a programming language.
struct LiteralError: Error {
  enum Kind: Error {
    /// The language has no literal for values of this kind.
    case unrepresentableKind(PlistValue.Kind)
    /// A dictionary has keys that the language considers equal.
    case equivalentKeys
    /// The source would be larger than property lists may be, or out of proportion to the value.
    case tooLarge(PlistError.Kind)
  }

  let kind: Kind
  let language: LiteralLanguage
  /// The path of the value that the error is about.
  let keyPath: PlistKeyPath
}

extension LiteralError: CustomStringConvertible {
  /// One line of text, such as `a Swift literal cannot represent a UID (key path $top.root)`.
  var description: String {
    let what =
      switch kind {
      case .unrepresentableKind(let kind):
        "\(language.article) \(language.title) literal cannot represent \(kind.withArticle)"
      case .equivalentKeys:
        "\(language.title) considers two of the keys equal, because they are canonically equivalent"
      case .tooLarge(let kind): "\(kind)"
      }
    return keyPath.isRoot ? what : "\(what) (key path \(keyPath.excerpt))"
  }
}
