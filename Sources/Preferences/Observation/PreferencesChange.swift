public import PropertyList

/// What an observer sees of a change: the value that a key has over all layers, before and after.
public struct PreferencesChange: Sendable, Hashable {
  /// The key.
  public var key: String
  /// The value before; nil where no layer had one.
  public var oldValue: PlistValue?
  /// The value after; nil where no layer has one.
  public var newValue: PlistValue?
}
