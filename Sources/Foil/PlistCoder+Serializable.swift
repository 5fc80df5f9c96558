internal import FoundationEssentials
internal import PropertyList
internal import TypedPreferences

extension PlistCoder where Value: UserDefaultsSerializable {
  /// The coder of a type that says itself what is stored for it.
  ///
  /// What it would have stored is read by its own initializer alone; what other libraries store for the
  /// same type, as JSON or by Codable, is read, too.
  static func serializable() -> PlistCoder {
    func coder<Container: SerializableContainer>(of type: Container.Type) -> Any {
      type.containerCoder
    }
    if let type = Value.self as? any SerializableContainer.Type,
      let coder = coder(of: type) as? PlistCoder
    {
      return coder
    }
    return Value.self == Value.StoredValue.self ? native() : converted()
  }

  /// A type that is stored as it is.
  private static func native() -> PlistCoder {
    PlistCoder(.resolved(), expected: "a value of type \(Value.self)") { value in
      value.storedValue
    } from: {
      Value(storedValue: $0)
    }
  }

  /// A type that is stored as another one.
  private static func converted() -> PlistCoder {
    let stored = PlistCoder<Value.StoredValue>.resolved()
    let json = json()
    let encode: @Sendable (Value) throws(ValueConversionError) -> PlistValue? = {
      value throws(ValueConversionError) in
      let (form, failure) = CodableFailure.collecting { value.storedValue }
      if let failure { throw failure }
      return try stored.encode(form)
    }
    return PlistCoder(isCostly: stored.isCostly || json != nil, encode: encode) {
      plist throws(ValueConversionError) in
      var ownFailure: ValueConversionError?
      if let form = try? stored.decode(plist) {
        let (value, failure) = CodableFailure.collecting { Value(storedValue: form) }
        if let value { return value }
        ownFailure = failure ?? .malformed("a value of type \(Value.self)")
      }
      if let tree = JSONText.tree(plist), let form = try? stored.decode(tree),
        let value = Value(storedValue: form)
      {
        return value
      }
      if let ownFailure { throw ownFailure }
      if let json { return try json.decode(plist) }
      // Nothing that the type stores: what it is instead is told here.
      _ = try stored.decode(plist)
      throw .malformed("a value of type \(Value.self)")
    } merge: { base, plist in
      // Not where the type writes JSON of another kind than Codable's.
      guard let json, let own = try? encode(base), own == (try? json.encode(base)) else {
        return nil
      }
      return json.merge?(base, plist)
    }
  }

  /// The coder by Codable; nil where the type is not.
  private static func json() -> PlistCoder? {
    func coder<Coded: Codable & UserDefaultsSerializable>(of type: Coded.Type) -> Any {
      PlistCoder<Coded>.jsonData()
    }
    return (Value.self as? any (Codable & UserDefaultsSerializable).Type)
      .flatMap { coder(of: $0) as? PlistCoder }
  }
}
