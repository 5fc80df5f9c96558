/// What a user asked a tool to do.
package struct Invocation: Sendable, Hashable {
  /// The name of the verb.
  package var verb: String
  /// The arguments of the verb, as many as its table names.
  package var arguments: [String]
  /// The arguments of the options that are given, by the names of those, in order; one without an
  /// argument has an empty text.
  package var options: [String: [String]]
  /// The operands, in order.
  package var operands: [String]

  /// Whether an option is given.
  package func has(_ option: CommandLineTool.Option) -> Bool {
    options[option.name] != nil
  }

  /// The argument of an option; nil where that is not given.
  package func argument(of option: CommandLineTool.Option) -> String? {
    options[option.name]?.first
  }

  /// The arguments of an option that may be given more than once, in order.
  package func arguments(of option: CommandLineTool.Option) -> [String] {
    options[option.name] ?? []
  }
}
