import Defaults

/// A Codable type for which a program chooses the bridge.
struct Buoy: Codable, Equatable, Defaults.Serializable {
  var name: String
  static let bridge = Defaults.TopLevelCodableBridge<Buoy>()
}

/// A custom range type.
struct Band<Bound: Comparable & Defaults.Serializable>: Defaults.RangeSerializable {
  var lowerBound: Bound
  var upperBound: Bound

  init(uncheckedBounds: (lower: Bound, upper: Bound)) {
    (lowerBound, upperBound) = uncheckedBounds
  }

  static var bridge: Defaults.RangeBridge<Band> { Defaults.RangeBridge() }
}

/// A generic function of a bridge.
func roundTrip<Value, Form>(
  _ value: Value, by bridge: some Defaults.Bridge<Value, Form>
) -> Value? {
  bridge.deserialize(bridge.serialize(value))
}

/// A part that is not Sendable.
final class Gauge {
  var level = 3
}

extension _Defaults.Keys {
  static let buoy = Key<Buoy>("buoy", default: Buoy(name: "first"))
  static let band = Key<Band<Int>>("band", default: Band(uncheckedBounds: (lower: 1, upper: 2)))

  /// A key with a default that an object determines.
  static func level(of gauge: Gauge) -> Key<Int> {
    Key("gaugeLevel") { gauge.level }
  }
}

/// A property of the wrapper's other name.
struct Mooring {
  @_Default(.buoy) var buoy
}
