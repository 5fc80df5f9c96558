internal import TypedPreferences

extension Defaults {
  /// The bridge of other sets than `Set`, which are stored as arrays in an order that depends only
  /// on the elements.
  public struct SetAlgebraBridge<Value: SetAlgebraSerializable>: DerivedBridge
  where Value.Element: DefaultsSerializable {
    /// The elements of the set.
    public typealias Element = Value.Element
    /// An array of the elements' stored forms.
    public typealias Serializable = Any

    /// Creates the bridge.
    public init() {}

    var coder: PlistCoder<Value> {
      let elements = PlistCoder<Element>.serializable()
      return .unordered(of: elements, elements: { $0.toArray() }, make: { Value($0) }).readingJSON()
    }
  }
}
