/// A parsed command line that runs one of a tool's verbs.
package struct Invocation: Sendable {
  /// The verb.
  package var verb: CommandLineTool.Verb
  /// The arguments of the verb, as many as its table lists.
  package var arguments: [String]
  /// The arguments of each option that is given, in order, by its name; an empty text for an option
  /// that takes no argument.
  package var options: [String: [String]]
  /// The operands, in order.
  package var operands: [String]
  /// The verbs before this one with their own options, if several are combined.
  package var earlier: [Invocation] = []

  /// Whether an option is given.
  package func has(_ option: CommandLineTool.Option) -> Bool {
    options[option.name] != nil
  }

  /// The argument of an option; nil if the option is not given.
  package func argument(of option: CommandLineTool.Option) -> String? {
    options[option.name]?.first
  }

  /// The arguments of an option that may be given more than once, in order.
  package func arguments(of option: CommandLineTool.Option) -> [String] {
    options[option.name] ?? []
  }
}
