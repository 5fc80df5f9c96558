public import PropertyList

/// A value and the layer that it comes from.
public struct PreferencesOrigin: Sendable, Hashable {
  /// The layer.
  public var layer: PreferencesLayer
  /// The layer's value for the key.
  public var value: PlistValue
}
