internal import PropertyList
internal import Synchronization
package import TypedPreferences

extension PlistCoder where Value: Defaults.Serializable {
  /// The coder of a serializable type.
  package static func serializable() -> PlistCoder {
    // The most frequent types skip the lookup of their bridge.
    if let native = native() { return native }
    // A program may declare that property lists support a class of Foundation.
    if Value.self is AnyClass, Value.isNativelySupportedType { return .standardOrUntyped() }
    if let coder = (Value.bridge as? any CoderBridge)?.coder(of: Value.self) { return coder }
    let coder = bridged()
    // A program's own bridge may read less than Codable does.
    if Value.bridge is any Defaults.CodableBridge, let codable = PlistCoder.codableText() {
      return coder.orReading(codable)
    }
    return coder
  }

  /// The coder of a Codable type that is stored as a string of JSON; nil if the type is not Codable.
  package static func codableText() -> PlistCoder? {
    func coder<Coded: Codable & Defaults.Serializable>(of type: Coded.Type) -> Any {
      PlistCoder<Coded>.jsonTextOrStandardForm()
    }
    return (Value.self as? any (Codable & Defaults.Serializable).Type)
      .flatMap { coder(of: $0) as? PlistCoder }
  }

  /// The coder that uses the bridge's stored form, even for property-list types.
  static func form() -> PlistCoder {
    (Value.bridge as? any CoderBridge)?.formCoder(of: Value.self) ?? bridged()
  }

  /// The coder of a type that has a program's own bridge.
  private static func bridged() -> PlistCoder {
    let stored = StoredCoder<Value.Serializable>(byBridgeOf: Value.self)
    return PlistCoder(
      isCostly: true,
      encode: { value throws(ValueConversionError) in
        guard let value = value as? Value.Value, let object = Value.bridge.serialize(value) else {
          throw .unstorable(Value.self, remedy: "its bridge serializes it as nil")
        }
        return try stored.coder.encode(object)
      },
      decode: { plist throws(ValueConversionError) in
        let object = try stored.coder.decode(plist)
        guard let value = Value.bridge.deserialize(object) as? Value else {
          throw .malformed("a value of type \(Value.self)")
        }
        return value
      }, areEquivalent: { one, other in stored.coder.isSame(one, other) })
  }
}

extension PlistCoder {
  /// The coder of a type that a bridge stores, which may have a bridge itself.
  ///
  /// - Parameter type: The type that has the first bridge, which must not be applied again.
  static func stored(byBridgeOf type: Any.Type) -> PlistCoder {
    func coder<Bridged: Defaults.Serializable>(of type: Bridged.Type) -> Any {
      let native = type.isNativelySupportedType ? PlistCoder<Bridged>.standard() : nil
      return native ?? PlistCoder<Bridged>.serializable()
    }
    if Value.self != type,
      let type = Value.self as? any Defaults.Serializable.Type,
      let coder = coder(of: type) as? PlistCoder
    {
      return coder
    }
    return .standardOrUntyped()
  }
}

/// The coder of the type that a program's own bridge stores.
///
/// It is made when it is first needed, because that type may contain the type that has the bridge.
private final class StoredCoder<Stored>: Sendable {
  private final class Made: Sendable {
    let coder: PlistCoder<Stored>

    init(_ coder: PlistCoder<Stored>) {
      self.coder = coder
    }
  }

  private let made = AtomicLazyReference<Made>()
  private let type: Any.Type

  /// - Parameter type: The type that has the bridge.
  init(byBridgeOf type: Any.Type) {
    self.type = type
  }

  var coder: PlistCoder<Stored> {
    (made.load() ?? made.storeIfNil(Made(.stored(byBridgeOf: type)))).coder
  }
}
