internal import CommandLineInterface
internal import PropertyList

/// The names of types that `-type` prints and `-expect` takes.
enum ValueType {
  static func name(of kind: PlistValue.Kind) -> String {
    switch kind {
    case .boolean: "bool"
    case .real: "float"
    default: kind.rawValue
    }
  }

  static let names = ["bool", "integer", "float", "string", "date", "data", "array", "dictionary"]

  static let allNames = PlistValue.Kind.allCases.map(name)

  static func kind(
    named name: String?, among names: [String] = allNames
  ) throws(UsageError) -> PlistValue.Kind? {
    guard let name else { return nil }
    guard let kind = PlistValue.Kind.allCases.first(where: { Self.name(of: $0) == name }) else {
      throw UsageError(unknown: "type", name, expected: names)
    }
    return kind
  }

  /// The kind that `-expect` names; nil if the option is not given.
  static func expected(by invocation: Invocation) throws(UsageError) -> PlistValue.Kind? {
    try kind(named: invocation.argument(of: .expected), among: names)
  }
}
