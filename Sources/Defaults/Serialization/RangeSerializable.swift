extension Defaults {
  /// A range: what ``RangeBridge`` needs to store one.
  public protocol Range<Bound> {
    /// The type of the bounds.
    associatedtype Bound: Comparable, DefaultsSerializable

    /// The lower bound.
    var lowerBound: Bound { get }
    /// The upper bound.
    var upperBound: Bound { get }

    /// Creates a range of bounds that are in order.
    init(uncheckedBounds: (lower: Bound, upper: Bound))
  }

  /// A range that can be stored.
  ///
  /// A type other than `Range` and `ClosedRange` returns ``RangeBridge`` as its bridge.
  public typealias RangeSerializable = Range & Serializable
}
