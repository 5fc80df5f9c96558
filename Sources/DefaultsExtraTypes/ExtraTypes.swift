public import Defaults
public import Foundation
internal import TypedPreferences

// Types of the standard library and of Foundation that `Defaults` leaves to programs. Each is stored
// in the form that its `plistCoder` in `TypedPreferences` gives it.

extension Decimal: Defaults.Serializable {
  /// Stores the digits as a string.
  public static let bridge = Defaults.PlistBridge<Decimal>(.standardFormOrJSONText())
}

extension Locale: Defaults.Serializable {
  /// Stores the identifier.
  public static let bridge = Defaults.PlistBridge<Locale>(.standardFormOrJSONText())
}

extension TimeZone: Defaults.Serializable {
  /// Stores the identifier.
  public static let bridge = Defaults.PlistBridge<TimeZone>(.standardFormOrJSONText())
}

extension Duration: Defaults.Serializable {
  /// Stores an array of whole seconds and the remaining attoseconds.
  public static let bridge = Defaults.PlistBridge<Duration>(.standardFormOrJSONText())
}

extension DateInterval: Defaults.Serializable {
  /// Stores an array of the start and the end.
  public static let bridge = Defaults.PlistBridge<DateInterval>(.standardFormOrJSONText())
}
