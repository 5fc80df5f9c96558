internal import PropertyList
package import TypedPreferences

extension PlistCoder where Value: Defaults.Serializable {
  /// The coder of a serializable type.
  package static func serializable() -> PlistCoder {
    if let bridge = Value.bridge as? Defaults.PlistBridge<Value> { return bridge.coder }
    // The coder of the stored type is looked up lazily: that type may contain this one.
    return PlistCoder(isCostly: true) { value throws(ValueConversionError) in
      guard let value = value as? Value.Value, let object = Value.bridge.serialize(value) else {
        throw .unstorable(Value.self)
      }
      return try storedCoder.encode(object)
    } decode: { plist throws(ValueConversionError) in
      let object = try storedCoder.decode(plist)
      guard let value = Value.bridge.deserialize(object) as? Value else {
        throw .malformed("a value of type \(Value.self)")
      }
      return value
    }
  }

  /// The coder of the type that the bridge stores.
  private static var storedCoder: PlistCoder<Value.Serializable> {
    .stored(byBridgeOf: Value.self)
  }
}

extension PlistCoder {
  /// The coder of a type that a bridge stores, which may have a bridge itself.
  ///
  /// - Parameter type: The type that has the first bridge, which must not be applied again.
  fileprivate static func stored(byBridgeOf type: Any.Type) -> PlistCoder {
    func coder<Bridged: Defaults.Serializable>(of type: Bridged.Type) -> Any {
      PlistCoder<Bridged>.serializable()
    }
    if Value.self != type, !(Value.self is any StandardType.Type),
      let type = Value.self as? any Defaults.Serializable.Type,
      let coder = coder(of: type) as? PlistCoder
    {
      return coder
    }
    return .standardOrUntyped()
  }
}
