public import PropertyList

/// A value and the layer that holds it.
public struct PreferencesOrigin: Sendable, Hashable {
  /// The layer.
  public var layer: PreferencesLayer
  /// What it holds for the key.
  public var value: PlistValue
}
