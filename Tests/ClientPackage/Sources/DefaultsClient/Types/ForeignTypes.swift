import Defaults
import Foundation

// Types of other modules, which programs make storable themselves.

extension Decimal: @retroactive Defaults.Serializable {}
extension TimeZone: @retroactive Defaults.Serializable {}

/// Stored as a number of seconds.
extension Duration: @retroactive Defaults.Serializable {
  /// Rounds to whole seconds.
  public struct SecondsBridge: Defaults.Bridge {
    /// Returns the number of seconds.
    public func serialize(_ value: Duration?) -> Double? {
      value.map { Double($0.components.seconds) }
    }

    /// Returns the duration of a number of seconds.
    public func deserialize(_ object: Double?) -> Duration? {
      object.map { .seconds($0) }
    }
  }

  /// Stores the number of seconds.
  public static var bridge: SecondsBridge { SecondsBridge() }
}

/// Stored as a type of another module, in that type's form.
struct Clock: Defaults.Serializable {
  struct Bridge: Defaults.Bridge {
    func serialize(_ value: Clock?) -> TimeZone? { value?.zone }
    func deserialize(_ object: TimeZone?) -> Clock? { object.map(Clock.init) }
  }

  var zone: TimeZone
  static let bridge = Bridge()
}

extension Defaults.Keys {
  static let clock = Key<Clock?>("clock")
  static let price = Key<Decimal>("price", default: 0)
  static let prices = Key<[Decimal]>("prices", default: [])
  static let zone = Key<TimeZone?>("zone")
  static let patience = Key<Duration>("patience", default: .seconds(1))
}
