internal import PropertyList
package import TypedPreferences

extension PlistCoder where Value: Defaults.Serializable {
  /// The coder of a type with a bridge.
  package static func serializable() -> PlistCoder {
    if let bridge = Value.bridge as? Defaults.PlistBridge<Value> { return bridge.coder }
    // That of the form is found when it is needed: the form may contain the type itself.
    return PlistCoder(isCostly: true) { value throws(ValueConversionError) in
      guard let value = value as? Value.Value, let object = Value.bridge.serialize(value) else {
        throw .unstorable(Value.self)
      }
      return try form.encode(object)
    } decode: { plist throws(ValueConversionError) in
      let object = try form.decode(plist)
      guard let value = Value.bridge.deserialize(object) as? Value else {
        throw .malformed("a value of type \(Value.self)")
      }
      return value
    }
  }

  /// The coder of the form in which a bridge stores values.
  private static var form: PlistCoder<Value.Serializable> { .bridgeable(otherThan: Value.self) }
}

extension PlistCoder {
  /// The coder of a type in whose form a bridge stores values, which may need bridging itself.
  ///
  /// - Parameter type: The type whose bridge that is; it cannot be bridged once more.
  fileprivate static func bridgeable(otherThan type: Any.Type) -> PlistCoder {
    func coder<Bridged: Defaults.Serializable>(of type: Bridged.Type) -> Any {
      PlistCoder<Bridged>.serializable()
    }
    if Value.self != type, !(Value.self is any PlistStorable.Type),
      let type = Value.self as? any Defaults.Serializable.Type,
      let coder = coder(of: type) as? PlistCoder
    {
      return coder
    }
    return .resolved()
  }
}
