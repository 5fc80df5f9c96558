public import PropertyList
package import TypedPreferences

extension Defaults {
  /// The bridge of types that are stored as property list values of their own.
  public struct PlistBridge<Value>: CoderBridge {
    private let coder: PlistCoder<Value>

    package init(_ coder: PlistCoder<Value>) {
      self.coder = coder
    }

    /// Returns what is stored for a value; nil if it cannot be stored.
    public func serialize(_ value: Value?) -> PlistValue? {
      guard let value else { return nil }
      return (try? coder.encode(value)) ?? nil
    }

    /// Returns the value of what is stored; nil if there is none.
    public func deserialize(_ object: PlistValue?) -> Value? {
      guard let object else { return nil }
      return try? coder.decode(object)
    }

    func coder<Stored: DefaultsSerializable>(of type: Stored.Type) -> PlistCoder<Stored>? {
      coder as? PlistCoder<Stored>
    }
  }
}
