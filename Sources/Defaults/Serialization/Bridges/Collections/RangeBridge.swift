internal import TypedPreferences

extension Defaults {
  /// The bridge of ranges, which are stored as arrays of the bounds.
  public struct RangeBridge<Value: RangeSerializable>: DerivedBridge {
    /// The stored forms of the two bounds.
    public typealias Serializable = [Any]

    /// Creates the bridge.
    public init() {}

    var coder: PlistCoder<Value> {
      let range = PlistCoder<Value>.range(of: PlistCoder<Value.Bound>.serializable()) {
        [$0.lowerBound, $0.upperBound]
      } make: {
        Value(uncheckedBounds: (lower: $0, upper: $1))
      }
      return range.readingJSON()
    }
  }
}
