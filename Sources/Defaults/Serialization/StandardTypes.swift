public import Foundation
internal import PropertyList
internal import TypedPreferences

// Types that property lists have.

extension Bool: Defaults.Serializable {
  /// Stored as it is.
  public static var bridge: Defaults.PlistBridge<Bool> { Defaults.PlistBridge(plistCoder) }
  /// Whether property lists have the type: they do.
  public static var isNativelySupportedType: Bool { true }
}

extension Int: Defaults.Serializable {
  /// Stored as it is.
  public static var bridge: Defaults.PlistBridge<Int> { Defaults.PlistBridge(plistCoder) }
  /// Whether property lists have the type: they do.
  public static var isNativelySupportedType: Bool { true }
}

extension Int8: Defaults.Serializable {
  /// Stored as it is.
  public static var bridge: Defaults.PlistBridge<Int8> { Defaults.PlistBridge(plistCoder) }
  /// Whether property lists have the type: they do.
  public static var isNativelySupportedType: Bool { true }
}

extension Int16: Defaults.Serializable {
  /// Stored as it is.
  public static var bridge: Defaults.PlistBridge<Int16> { Defaults.PlistBridge(plistCoder) }
  /// Whether property lists have the type: they do.
  public static var isNativelySupportedType: Bool { true }
}

extension Int32: Defaults.Serializable {
  /// Stored as it is.
  public static var bridge: Defaults.PlistBridge<Int32> { Defaults.PlistBridge(plistCoder) }
  /// Whether property lists have the type: they do.
  public static var isNativelySupportedType: Bool { true }
}

extension Int64: Defaults.Serializable {
  /// Stored as it is.
  public static var bridge: Defaults.PlistBridge<Int64> { Defaults.PlistBridge(plistCoder) }
  /// Whether property lists have the type: they do.
  public static var isNativelySupportedType: Bool { true }
}

extension UInt: Defaults.Serializable {
  /// Stored as it is.
  public static var bridge: Defaults.PlistBridge<UInt> { Defaults.PlistBridge(plistCoder) }
  /// Whether property lists have the type: they do.
  public static var isNativelySupportedType: Bool { true }
}

extension UInt8: Defaults.Serializable {
  /// Stored as it is.
  public static var bridge: Defaults.PlistBridge<UInt8> { Defaults.PlistBridge(plistCoder) }
  /// Whether property lists have the type: they do.
  public static var isNativelySupportedType: Bool { true }
}

extension UInt16: Defaults.Serializable {
  /// Stored as it is.
  public static var bridge: Defaults.PlistBridge<UInt16> { Defaults.PlistBridge(plistCoder) }
  /// Whether property lists have the type: they do.
  public static var isNativelySupportedType: Bool { true }
}

extension UInt32: Defaults.Serializable {
  /// Stored as it is.
  public static var bridge: Defaults.PlistBridge<UInt32> { Defaults.PlistBridge(plistCoder) }
  /// Whether property lists have the type: they do.
  public static var isNativelySupportedType: Bool { true }
}

extension UInt64: Defaults.Serializable {
  /// Stored as it is.
  public static var bridge: Defaults.PlistBridge<UInt64> { Defaults.PlistBridge(plistCoder) }
  /// Whether property lists have the type: they do.
  public static var isNativelySupportedType: Bool { true }
}

extension Float: Defaults.Serializable {
  /// Stored as it is.
  public static var bridge: Defaults.PlistBridge<Float> { Defaults.PlistBridge(plistCoder) }
  /// Whether property lists have the type: they do.
  public static var isNativelySupportedType: Bool { true }
}

extension Double: Defaults.Serializable {
  /// Stored as it is.
  public static var bridge: Defaults.PlistBridge<Double> { Defaults.PlistBridge(plistCoder) }
  /// Whether property lists have the type: they do.
  public static var isNativelySupportedType: Bool { true }
}

extension String: Defaults.Serializable {
  /// Stored as it is.
  public static var bridge: Defaults.PlistBridge<String> { Defaults.PlistBridge(plistCoder) }
  /// Whether property lists have the type: they do.
  public static var isNativelySupportedType: Bool { true }
}

extension Date: Defaults.Serializable {
  /// Stored as it is.
  public static var bridge: Defaults.PlistBridge<Date> { Defaults.PlistBridge(plistCoder) }
  /// Whether property lists have the type: they do.
  public static var isNativelySupportedType: Bool { true }
}

extension Data: Defaults.Serializable {
  /// Stored as it is.
  public static var bridge: Defaults.PlistBridge<Data> { Defaults.PlistBridge(plistCoder) }
  /// Whether property lists have the type: they do.
  public static var isNativelySupportedType: Bool { true }
}

extension CGFloat: Defaults.Serializable {
  /// Stored as a real.
  public static var bridge: Defaults.PlistBridge<CGFloat> {
    // Its own conversions from integers end the process.
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

// Types that are stored in another form.

extension URL: Defaults.Serializable {
  /// Stored as its text, or the path of a file.
  public static var bridge: Defaults.PlistBridge<URL> { Defaults.PlistBridge(plistCoder) }
}

extension UUID: Defaults.Serializable {
  /// Stored as its text.
  public static var bridge: Defaults.PlistBridge<UUID> { Defaults.PlistBridge(plistCoder) }
}

extension Decimal: Defaults.Serializable {
  /// Stored as its text.
  public static var bridge: Defaults.PlistBridge<Decimal> { Defaults.PlistBridge(plistCoder) }
}

extension Locale: Defaults.Serializable {
  /// Stored as its identifier.
  public static var bridge: Defaults.PlistBridge<Locale> { Defaults.PlistBridge(plistCoder) }
}

extension TimeZone: Defaults.Serializable {
  /// Stored as its identifier.
  public static var bridge: Defaults.PlistBridge<TimeZone> { Defaults.PlistBridge(plistCoder) }
}

extension Duration: Defaults.Serializable {
  /// Stored as an array of seconds and attoseconds.
  public static var bridge: Defaults.PlistBridge<Duration> { Defaults.PlistBridge(plistCoder) }
}

extension DateInterval: Defaults.Serializable {
  /// Stored as an array of its first and last date.
  public static var bridge: Defaults.PlistBridge<DateInterval> { Defaults.PlistBridge(plistCoder) }
}
