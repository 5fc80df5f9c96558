public import PropertyList

/// A value and its layer.
public struct PreferencesOrigin: Sendable, Hashable {
  /// The layer.
  public var layer: PreferencesLayer
  /// The value in this layer.
  public var value: PlistValue
}
