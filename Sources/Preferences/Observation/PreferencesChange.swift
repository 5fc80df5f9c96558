public import PropertyList

/// A change of a key's effective value over all layers.
public struct PreferencesChange: Sendable, Hashable {
  /// The key.
  public var key: String
  /// The value before the change; nil if no layer had one.
  public var oldValue: PlistValue?
  /// The value after the change; nil if no layer has one.
  public var newValue: PlistValue?
}
