/// What a user asked a tool to do.
package struct Invocation: Sendable, Hashable {
  /// The name of the verb.
  package var verb: String
  /// The arguments of the verb, as many as its table names.
  package var arguments: [String]
  /// The options that are given, by name; the value is empty for one without an argument.
  package var options: [String: String]
  /// The operands, in order.
  package var operands: [String]
}
