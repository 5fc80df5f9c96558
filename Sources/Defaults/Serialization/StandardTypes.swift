public import Foundation
internal import TypedPreferences

// The standard types that can be stored, each in the form that `StandardTypes.swift` in
// `TypedPreferences` gives it.

extension Bool: Defaults.Serializable {}
extension Int: Defaults.Serializable {}
extension Int8: Defaults.Serializable {}
extension Int16: Defaults.Serializable {}
extension Int32: Defaults.Serializable {}
extension Int64: Defaults.Serializable {}
extension UInt: Defaults.Serializable {}
extension UInt8: Defaults.Serializable {}
extension UInt16: Defaults.Serializable {}
extension UInt32: Defaults.Serializable {}
extension UInt64: Defaults.Serializable {}
extension Float: Defaults.Serializable {}
extension Double: Defaults.Serializable {}
extension String: Defaults.Serializable {}
extension Date: Defaults.Serializable {}
extension Data: Defaults.Serializable {}

extension URL: Defaults.Serializable {}
extension UUID: Defaults.Serializable {}
extension Decimal: Defaults.Serializable {}
extension Locale: Defaults.Serializable {}
extension TimeZone: Defaults.Serializable {}
extension Duration: Defaults.Serializable {}
extension DateInterval: Defaults.Serializable {}

// Only the full Foundation has this type, and only this front end imports it.
extension CGFloat: Defaults.Serializable {
  /// Stores the value as a real.
  public static var bridge: Defaults.PlistBridge<CGFloat> {
    // CGFloat's own conversions from integers trap.
    Defaults.PlistBridge(
      PlistCoder(Double.plistCoder, expected: "a real") {
        Double($0)
      } from: {
        CGFloat($0)
      })
  }
  /// Whether property lists have the type: they do.
  public static var isNativelySupportedType: Bool { true }
}
