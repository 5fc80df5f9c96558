package import PropertyList

/// How a command line is parsed into the argument domain.
public struct ArgumentOptions: Sendable, Hashable {
  /// Whether a negative decimal number, such as `-1` or `-2.5e3`, is always a value and never a
  /// key.
  ///
  /// Otherwise `-n -1` sets nothing: both are keys without values.
  public var allowNegativeNumbers = false

  /// Whether an argument that begins with two dashes is ignored, together with its value, instead
  /// of being a key that begins with a dash.
  public var ignoreDoubleDashes = false

  /// Whether `--key value` and `--key=value` set a key, as `-key value` does;
  /// ``ignoreDoubleDashes`` then has no effect.
  ///
  /// This is off by default because a program's long options may not be meant as preferences. An
  /// option without a value, such as `--verbose` before another option, sets nothing.
  public var acceptsLongOptions = false

  /// Creates the default rules.
  public init() {}
}

/// Values of a command line that a program's declaration has parsed.
package struct ParsedArguments: Sendable {
  /// The values by key.
  package var values = PlistDictionary()
  /// The options that supply them, such as `--tab-width`, by key.
  package var options: [String: String] = [:]

  package init() {}
}
