internal import PropertyList

/// How the literals of a language are spelt.
protocol LiteralSyntax {
  static var language: LiteralLanguage { get }
  static var limits: LiteralPlan.Limits { get }

  /// A value that is no container.
  static func scalar(_ value: PlistValue) -> String
  /// A string, which can be a key.
  static func string(_ string: String) -> String
  /// What opens and closes a container.
  static func brackets(of kind: PlistValue.Kind) -> (opening: String, closing: String)
  /// A container without values.
  static func empty(_ kind: PlistValue.Kind) -> String
  /// What follows a container where the type is not clear from what is around it.
  static func annotation(_ type: LiteralType) -> String
}
