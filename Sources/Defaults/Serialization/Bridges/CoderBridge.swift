internal import TypedPreferences

/// A bridge of the library. Keys use its coder, which reads more forms than `deserialize` and says
/// why a value cannot be read or stored.
protocol CoderBridge: DefaultsBridge {
  /// Returns the coder of a type that has this bridge; nil if the bridge is for another type.
  func coder<Stored: DefaultsSerializable>(of type: Stored.Type) -> PlistCoder<Stored>?
  /// Returns the coder whose stored form is `Serializable`, for containers of the type.
  func formCoder<Stored: DefaultsSerializable>(of type: Stored.Type) -> PlistCoder<Stored>?
}

extension CoderBridge {
  func formCoder<Stored: DefaultsSerializable>(of type: Stored.Type) -> PlistCoder<Stored>? {
    coder(of: type)
  }
}

/// A bridge whose `serialize` and `deserialize` are derived from its coder.
protocol DerivedBridge: CoderBridge {
  /// The type that has the bridge. It differs from `Value` if it does so for the elements.
  associatedtype Coded = Value

  var coder: PlistCoder<Coded> { get }
  /// The coder whose stored form is `Serializable`, made from the coders of the elements' bridges.
  var formCoder: PlistCoder<Coded> { get }
}

extension DerivedBridge {
  var formCoder: PlistCoder<Coded> { coder }

  func coder<Stored: DefaultsSerializable>(of type: Stored.Type) -> PlistCoder<Stored>? {
    coder as? PlistCoder<Stored>
  }

  func formCoder<Stored: DefaultsSerializable>(of type: Stored.Type) -> PlistCoder<Stored>? {
    formCoder as? PlistCoder<Stored>
  }

  private var form: PlistCoder<Serializable> { .stored(byBridgeOf: Coded.self) }

  /// Returns the stored form of a value; nil if it cannot be stored.
  public func serialize(_ value: Value?) -> Serializable? {
    guard let value = value as? Coded, let stored = (try? formCoder.encode(value)) ?? nil else {
      return nil
    }
    return try? form.decode(stored)
  }

  /// Returns the stored value, without unreadable elements; nil if it cannot be read.
  public func deserialize(_ object: Serializable?) -> Value? {
    guard let object, let stored = (try? form.encode(object)) ?? nil else { return nil }
    return formCoder.decodeAvailable(stored) as? Value
  }
}
