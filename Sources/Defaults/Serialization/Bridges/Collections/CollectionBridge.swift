internal import TypedPreferences

extension Defaults {
  /// The bridge of other collections than `Array`, which are stored as arrays.
  public struct CollectionBridge<Value: CollectionSerializable>: CoderBridge
  where Value.Element: DefaultsSerializable {
    /// The elements of the collection.
    public typealias Element = Value.Element

    /// Creates the bridge.
    public init() {}

    /// Returns an array of the elements if property lists have their type, and of their stored forms
    /// otherwise.
    public func serialize(_ value: Value?) -> Any? {
      value.map { Element.serializeAll(Array($0)) }
    }

    /// Returns the collection of what is stored; nil if that is no array of elements.
    public func deserialize(_ object: Any?) -> Value? {
      Element.deserializeAll(object).map { Value($0) }
    }

    func coder<Stored: DefaultsSerializable>(of type: Stored.Type) -> PlistCoder<Stored>? {
      PlistCoder<Value>.collection(of: PlistCoder<Element>.serializable()) {
        Array($0)
      } make: {
        Value($0)
      }.readingJSON() as? PlistCoder<Stored>
    }
  }
}
