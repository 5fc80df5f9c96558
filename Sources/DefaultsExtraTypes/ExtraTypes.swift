public import Defaults
public import Foundation
internal import TypedPreferences

// Types of the standard library and of Foundation that `Defaults` leaves to programs. Each is stored
// in the form that `StandardTypes.swift` in `TypedPreferences` gives it.

extension Decimal: Defaults.Serializable {
  /// Stores the digits as a string.
  public static var bridge: Defaults.PlistBridge<Decimal> {
    Defaults.PlistBridge(.standardFormOrJSONText())
  }
}

extension Locale: Defaults.Serializable {
  /// Stores the identifier.
  public static var bridge: Defaults.PlistBridge<Locale> {
    Defaults.PlistBridge(.standardFormOrJSONText())
  }
}

extension TimeZone: Defaults.Serializable {
  /// Stores the identifier.
  public static var bridge: Defaults.PlistBridge<TimeZone> {
    Defaults.PlistBridge(.standardFormOrJSONText())
  }
}

extension Duration: Defaults.Serializable {
  /// Stores an array of whole seconds and the remaining attoseconds.
  public static var bridge: Defaults.PlistBridge<Duration> {
    Defaults.PlistBridge(.standardFormOrJSONText())
  }
}

extension DateInterval: Defaults.Serializable {
  /// Stores an array of the start and the end.
  public static var bridge: Defaults.PlistBridge<DateInterval> {
    Defaults.PlistBridge(.standardFormOrJSONText())
  }
}
