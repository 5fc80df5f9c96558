internal import TypedPreferences

extension Defaults {
  /// The bridge of other sets than `Set`, which are stored as arrays in an order that depends only
  /// on the elements.
  public struct SetAlgebraBridge<Value: SetAlgebraSerializable>: CoderBridge
  where Value.Element: DefaultsSerializable {
    /// The elements of the set.
    public typealias Element = Value.Element

    /// Creates the bridge.
    public init() {}

    /// Returns an array of the elements if property lists have their type, and of their stored forms
    /// otherwise.
    public func serialize(_ value: Value?) -> Any? {
      value.map { Element.serializeAll(Element.storedOrder(of: $0, Self.coder) ?? $0.toArray()) }
    }

    /// Returns the set of what is stored; nil if that is no array of elements.
    public func deserialize(_ object: Any?) -> Value? {
      Element.deserializeAll(object).map { Value($0) }
    }

    func coder<Stored: DefaultsSerializable>(of type: Stored.Type) -> PlistCoder<Stored>? {
      Self.coder.readingJSON() as? PlistCoder<Stored>
    }

    private static var coder: PlistCoder<Value> {
      .unordered(of: PlistCoder<Element>.serializable()) {
        $0.toArray()
      } make: {
        Value($0)
      }
    }
  }
}
