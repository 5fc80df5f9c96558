/// The rules by which a command line is parsed into the argument domain.
public struct ArgumentOptions: Sendable, Hashable {
  /// Whether an argument that is a negative decimal number, such as `-1` or `-2.5e3`, is always a
  /// value and never a key.
  ///
  /// Otherwise `-n -1` sets nothing: `-1` is a key without a value, and `n` has none either.
  public var allowNegativeNumbers = false

  /// Whether an argument that begins with two dashes is ignored, together with what would be its
  /// value, instead of being a key that begins with a dash.
  public var ignoreDoubleDashes = false

  /// Whether `--key value` and `--key=value` set a key, as `-key value` does. ``ignoreDoubleDashes``
  /// then has no effect.
  ///
  /// This is off by default, since the long options of a program may be meant for the program alone.
  /// An option without a value, such as `--verbose` before another option, sets nothing.
  public var acceptsLongOptions = false

  /// The default rules.
  public init() {}
}
