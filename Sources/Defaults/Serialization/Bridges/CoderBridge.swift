internal import TypedPreferences

/// A bridge of the library. Keys use its coder, which reads more forms than `deserialize` and says
/// why a value cannot be read or stored.
protocol CoderBridge: DefaultsBridge {
  /// Returns the coder of a type that has this bridge; nil if the bridge is for another type.
  func coder<Stored: DefaultsSerializable>(of type: Stored.Type) -> PlistCoder<Stored>?
}
