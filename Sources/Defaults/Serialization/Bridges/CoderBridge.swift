internal import TypedPreferences

/// A bridge of the library: the coder that keys use, which reads more forms than `deserialize` and
/// says why a value cannot be read or stored.
protocol CoderBridge: DefaultsBridge {
  /// The type that the coder is for. `Value` is another one if the elements' bridges have one.
  associatedtype Coded = Value

  /// The coder of the type that has this bridge.
  var coder: PlistCoder<Coded> { get }
  /// The coder whose stored form is `Serializable`, as the bridges of the elements make it.
  var formCoder: PlistCoder<Coded> { get }
}

extension CoderBridge {
  var formCoder: PlistCoder<Coded> { coder }

  /// Returns the coder of a type that has this bridge; nil if the bridge is for another type.
  func coder<Stored>(of type: Stored.Type) -> PlistCoder<Stored>? { coder as? PlistCoder<Stored> }

  /// Returns the coder of what the bridge of a type returns; nil if it is for another type.
  func formCoder<Stored>(of type: Stored.Type) -> PlistCoder<Stored>? {
    formCoder as? PlistCoder<Stored>
  }
}

/// A bridge whose `serialize` and `deserialize` are derived from its coder.
protocol DerivedBridge: CoderBridge {}

extension DerivedBridge {
  private var form: PlistCoder<Serializable> { .stored(byBridgeOf: Coded.self) }

  /// Returns what is stored for a value; nil if it cannot be stored.
  public func serialize(_ value: Value?) -> Serializable? {
    guard let value = value as? Coded, let stored = (try? formCoder.encode(value)) ?? nil else {
      return nil
    }
    return try? form.decode(stored)
  }

  /// Returns the value of what is stored, without elements that cannot be read; nil if there is none.
  public func deserialize(_ object: Serializable?) -> Value? {
    guard let object, let stored = (try? form.encode(object)) ?? nil else { return nil }
    return formCoder.decodeAvailable(stored) as? Value
  }
}
