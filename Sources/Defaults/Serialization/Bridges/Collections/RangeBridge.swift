internal import TypedPreferences

extension Defaults {
  /// The bridge of ranges, which are stored as arrays of the bounds.
  public struct RangeBridge<Value: RangeSerializable>: CoderBridge {
    /// Creates the bridge.
    public init() {}

    /// Returns an array of the bounds if property lists have their type, and of their stored forms
    /// otherwise.
    public func serialize(_ value: Value?) -> [Any]? {
      value.map { Value.Bound.serializeAll([$0.lowerBound, $0.upperBound]) }
    }

    /// Returns the range of two bounds; nil if these are none or in reverse order.
    public func deserialize(_ object: [Any]?) -> Value? {
      Value.Bound.deserializeAll(object).flatMap { Self.range(of: $0) }
    }

    func coder<Stored: DefaultsSerializable>(of type: Stored.Type) -> PlistCoder<Stored>? {
      let bounds = PlistCoder<[Value.Bound]>.array(of: .serializable())
      let range = PlistCoder<Value>(
        bounds, expected: "the lower and upper bounds of a range"
      ) { value in
        [value.lowerBound, value.upperBound]
      } from: { bounds in
        Self.range(of: bounds)
      }
      return range.readingJSON() as? PlistCoder<Stored>
    }

    private static func range(of bounds: [Value.Bound]) -> Value? {
      guard bounds.count == 2, bounds[0] <= bounds[1] else { return nil }
      return Value(uncheckedBounds: (lower: bounds[0], upper: bounds[1]))
    }
  }
}
