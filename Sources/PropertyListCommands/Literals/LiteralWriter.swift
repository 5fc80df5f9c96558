internal import CommandLineInterface
internal import FileStorage
internal import PropertyList

/// Writes the expressions of a value according to a plan.
struct LiteralWriter<Syntax: LiteralSyntax> {
  let plan: LiteralPlan
  let hasFoundationTypes: Bool
  var source = ""
  /// The name of the whole value. The names of its parts are derived from it.
  private let name: String
  /// The containers with their own functions that the source calls.
  private var parts: [Part] = []
  /// The number of these containers that ``nextPart()`` has returned.
  private var writtenParts = 0
  private var allowance: ExpansionLimit

  init(_ value: PlistValue, named name: String) throws(LiteralError) {
    var planner = LiteralPlanner<Syntax>(for: value)
    plan = try planner.plan(value)
    hasFoundationTypes = planner.hasFoundationTypes
    self.name = name
    allowance = ExpansionLimit(for: value)
  }

  /// A container with its own function.
  struct Part {
    let name: String
    let value: PlistValue
    let plan: LiteralPlan
  }

  /// Returns the next container with its own function; nil after the last.
  mutating func nextPart() -> Part? {
    guard writtenParts < parts.count else { return nil }
    writtenParts += 1
    return parts[writtenParts - 1]
  }

  /// Writes the expression of the whole value or a part: its literal, or a call if it exceeds the
  /// limits.
  ///
  /// - Parameter indentation: The indentation level of the line where the expression begins.
  mutating func writeExpression(
    _ value: PlistValue, _ plan: LiteralPlan, indentation: Int
  ) throws(LiteralError) {
    try write(value, plan, in: plan.type, indentation: indentation, isPart: plan.isLiteral)
  }

  /// Writes a line for each element of a container. A closure returns the texts before and after
  /// the expression; its argument is the key in a dictionary, and nil in an array.
  mutating func writeElements(
    of value: PlistValue, _ plan: LiteralPlan, in type: LiteralType, indentation: Int,
    _ statement: (_ key: String?) -> (before: String, behind: String)
  ) throws(LiteralError) {
    guard var container = ContainerCursor(of: value) else { return }
    var plans = plan.containers[...]
    while let element = container.next() {
      let (before, behind) = statement(container.key)
      startLine(indentation)
      source += before
      try write(
        element, element.isLiteralContainer ? plans.popFirst() : nil, in: type.element,
        indentation: indentation, isPart: false)
      source += behind
    }
  }

  /// Writes a value recursively. The plan limits the depth.
  ///
  /// - Parameters:
  ///   - plan: The plan of a container.
  ///   - context: The type that the context expects.
  ///   - isPart: Whether the value is the whole expression, and not nested in it.
  private mutating func write(
    _ value: PlistValue, _ plan: LiteralPlan?, in context: LiteralType, indentation: Int,
    isPart: Bool
  ) throws(LiteralError) {
    do throws(PlistError.Kind) {
      try allowance.check(source.utf8.count)
    } catch {
      throw LiteralError(kind: .tooLarge(error), language: Syntax.language, keyPath: PlistKeyPath())
    }
    guard let container = ContainerCursor(of: value), let plan else {
      source += Syntax.scalar(value)
      return
    }
    if plan.isSeparate, !isPart {
      let part = Part(name: "\(name)_\(parts.count + 1)", value: value, plan: plan)
      parts.append(part)
      source += "\(part.name)()"
      return
    }
    if container.isEmpty {
      source += Syntax.empty(container.kind)
    } else {
      let brackets = Syntax.brackets(of: container.kind)
      source += brackets.opening
      try writeElements(
        of: value, plan, in: context == .any ? plan.type : context, indentation: indentation + 1
      ) { key in (key.map { Syntax.string($0) + " : " } ?? "", ",") }
      startLine(indentation)
      source += brackets.closing
    }
    if context == .any { source += Syntax.annotation(plan.type) }
  }

  private mutating func startLine(_ indentation: Int) {
    source += "\n" + String(repeating: "    ", count: indentation)
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
  /// The maximum number of values in one literal, including containers.
  static var maximumValues: Int { get }
  /// The maximum nesting depth of one literal.
  static var maximumDepth: Int { get }

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
    let name = input.isStandardInput ? input.name : FilePath.split(input.operand).name
    return "/// Generated from \(name.onOneLine)\n"
  }
}

extension Unicode.Scalar {
  /// Whether the character can appear in source code unescaped, because it is visible and
  /// unambiguous. This excludes control and format characters, all spaces except the ordinary one,
  /// and combining marks.
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
    /// The source would exceed the size limit of property lists, or would be far too large for the
    /// value.
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
