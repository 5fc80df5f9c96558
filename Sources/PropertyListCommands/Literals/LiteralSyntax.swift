internal import PropertyList

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
  /// The text after a container whose type cannot be inferred from its context.
  static func annotation(_ type: LiteralType) -> String
}
