internal import TypedPreferences

extension Defaults {
  /// The bridge of other collections than `Array`, which are stored as arrays.
  public struct CollectionBridge<Value: CollectionSerializable>: DerivedBridge
  where Value.Element: DefaultsSerializable {
    /// The elements of the collection.
    public typealias Element = Value.Element
    /// An array of the elements' stored forms.
    public typealias Serializable = Any

    /// Creates the bridge.
    public init() {}

    var coder: PlistCoder<Value> {
      let elements = PlistCoder<Element>.serializable()
      return .collection(of: elements, elements: { Array($0) }, make: { Value($0) }).readingJSON()
    }
  }
}
