internal import FoundationEssentials
internal import PropertyList
internal import Threading
internal import TypedPreferences

extension PlistCoder where Value: UserDefaultsSerializable {
  /// The coder of a serializable type. Only the type's initializer reads values in its own stored
  /// form. Values that other libraries have stored for the same type, as JSON or by Codable, are
  /// also read.
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

  /// The coder of a type that is stored without conversion.
  private static func native() -> PlistCoder {
    PlistCoder(.standardOrUntyped(), expected: "a value of type \(Value.self)") { value in
      value.storedValue
    } from: {
      Value(storedValue: $0)
    }
  }

  /// The coder of a type that is stored as another type.
  private static func converted() -> PlistCoder {
    let stored = PlistCoder<Value.StoredValue>.standardOrUntyped()
    let json = json()
    let encode: @Sendable (Value) throws(ValueConversionError) -> PlistValue? = {
      value throws(ValueConversionError) in
      let (form, error) = ConversionErrorRecorder.recording { value.storedValue }
      if let error { throw error }
      return try stored.encode(form)
    }
    return PlistCoder(isCostly: stored.isCostly || json != nil, encode: encode) {
      plist throws(ValueConversionError) in
      var ownError: ValueConversionError?
      if let form = try? stored.decode(plist) {
        let (value, error) = ConversionErrorRecorder.recording { Value(storedValue: form) }
        if let value { return value }
        ownError = error ?? .malformed("a value of type \(Value.self)")
      }
      if let tree = CodableJSON.tree(plist), let form = try? stored.decode(tree),
        let value = Value(storedValue: form)
      {
        return value
      }
      if let ownError { throw ownError }
      if let json { return try json.decode(plist) }
      // Throws an error with the kind found instead of the type's stored form.
      _ = try stored.decode(plist)
      throw .malformed("a value of type \(Value.self)")
    } merge: { base, plist in
      // A value can be merged only if the type itself stores it as Codable does.
      guard let json, let own = try? encode(base), own == (try? json.encode(base)) else {
        return nil
      }
      return json.merge?(base, plist)
    }
  }

  /// The coder of JSON data; nil if the type is not Codable.
  private static func json() -> PlistCoder? {
    func coder<Coded: Codable & UserDefaultsSerializable>(of type: Coded.Type) -> Any {
      PlistCoder<Coded>.jsonData()
    }
    return (Value.self as? any (Codable & UserDefaultsSerializable).Type)
      .flatMap { coder(of: $0) as? PlistCoder }
  }
}

/// Passes errors out of implementations of ``UserDefaultsSerializable``, which cannot throw.
enum ConversionErrorRecorder {
  @TaskLocal private static var first: Lock<ValueConversionError?>?

  /// Records an error for the innermost call of ``recording(_:)``.
  static func record(_ error: ValueConversionError) { first?.withLock { $0 = $0 ?? error } }

  /// Calls a closure, and returns its result and the first error recorded during the call.
  static func recording<Result>(_ body: () -> Result) -> (
    result: Result, error: ValueConversionError?
  ) {
    let error = Lock<ValueConversionError?>(nil)
    let result = $first.withValue(error, operation: body)
    return (result, error.withLock { $0 })
  }
}
