internal import CommandLineInterface
internal import PropertyList

/// A programming language for literals of property lists.
enum LiteralLanguage {
  case swift, objectiveC

  /// The language's name in error texts.
  var title: String { self == .swift ? "Swift" : "Objective-C" }

  /// The article before that name.
  var article: String { self == .swift ? "a" : "an" }

  /// The extension of its source files.
  var fileExtension: String { self == .swift ? "swift" : "m" }
}

/// The syntax of literals in a language.
protocol LiteralSyntax {
  static var language: LiteralLanguage { get }
  static var limits: LiteralPlan.Limits { get }

  /// The literal of a scalar.
  static func scalar(_ value: PlistValue) -> String
  /// The literal of a string or a key.
  static func string(_ string: String) -> String
  /// The brackets around a container.
  static func brackets(of kind: PlistValue.Kind) -> (opening: String, closing: String)
  /// The literal of an empty container.
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
  /// The last component of the path; nil for standard input.
  fileprivate var fileName: String? {
    guard !isStandardInput else { return nil }
    return operand.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) }
  }
}

extension Unicode.Scalar {
  /// Whether the character can appear in source code unescaped, because it is visible and
  /// unambiguous.
  ///
  /// This excludes control and format characters, all spaces but the common one, and combining
  /// marks.
  var isSafeInSource: Bool {
    if isASCII { return value >= 0x20 && value != 0x7F }
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .connectorPunctuation, .dashPunctuation,
      .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation,
      .otherPunctuation, .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol:
      return true
    default:
      return false
    }
  }
}
