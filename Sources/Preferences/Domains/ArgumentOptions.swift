/// How a command line is read as preferences.
public struct ArgumentOptions: Sendable, Hashable {
  /// Whether an argument that is a negative decimal number throughout, such as `-1` or `-2.5e3`, is
  /// a value and never a key.
  ///
  /// Without it `-n -1` sets nothing: `-1` is a key, which drops `n` and has no value itself.
  public var allowNegativeNumbers = false

  /// Whether an argument that begins with two dashes is passed over, together with what would be
  /// its value, rather than being a key that begins with a dash.
  public var ignoreDoubleDashes = false

  /// The default options.
  public init() {}
}
