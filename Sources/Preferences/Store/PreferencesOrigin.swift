public import PropertyList

/// A value and its layer.
public struct PreferencesOrigin: Sendable, Hashable {
  /// The layer.
  public var layer: PreferencesLayer
  /// The value in this layer.
  public var value: PlistValue
}

extension PreferencesOrigin: CustomStringConvertible {
  /// The layer and the value on one line: `environment APP_PORT: 8080`.
  public var description: String { "\(layer): \(value.debugDescription)" }
}
