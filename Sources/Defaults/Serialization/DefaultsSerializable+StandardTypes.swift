public import Foundation
package import TypedPreferences

// The standard types that can be stored, each in the form that its `plistCoder` in
// `TypedPreferences` gives it. They are the same types as in the original library, so a program
// can declare the conformance of any other type. `DefaultsExtraTypes` does so for some.

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
extension CGFloat: Defaults.Serializable {}
extension String: Defaults.Serializable {}
extension Date: Defaults.Serializable {}
extension Data: Defaults.Serializable {}

extension URL: Defaults.Serializable {
  /// Stores a JSON string, with its quotation marks. The form that the store's setter stores is also
  /// read.
  public static let bridge = Defaults.URLBridge()
}

extension UUID: Defaults.Serializable {
  /// Stores the text of the UUID.
  public static let bridge = Defaults.UUIDBridge()
}

// Only full Foundation has this type, and only this front end imports full Foundation.
extension CGFloat: NativeType {
  /// Stores the value as a real.
  package static var plistCoder: PlistCoder<CGFloat> {
    // CGFloat's own conversions from integers trap.
    PlistCoder(Double.plistCoder, expected: "a real", to: { Double($0) }, from: { CGFloat($0) })
  }
}

// MARK: Containers

extension Optional: Defaults.Serializable where Wrapped: Defaults.Serializable {
  /// Stores the wrapped value, and nothing for nil.
  public static var bridge: Defaults.OptionalBridge<Wrapped> { Defaults.OptionalBridge() }
  /// Whether property lists have the type of the wrapped value.
  public static var isNativelySupportedType: Bool { Wrapped.isNativelySupportedType }
}

extension Array: Defaults.Serializable where Element: Defaults.Serializable {
  /// Stores an array of the elements.
  public static var bridge: Defaults.ArrayBridge<Element> { Defaults.ArrayBridge() }
  /// Whether property lists have the type of the elements.
  public static var isNativelySupportedType: Bool { Element.isNativelySupportedType }
}

extension Set: Defaults.Serializable where Element: Defaults.Serializable {
  /// Stores an array in an order that depends only on the elements.
  public static var bridge: Defaults.SetBridge<Element> { Defaults.SetBridge() }
}

extension Dictionary: Defaults.Serializable
where Key: LosslessStringConvertible, Value: Defaults.Serializable {
  /// Stores a dictionary under the descriptions of the keys.
  public static var bridge: Defaults.DictionaryBridge<Key, Value> { Defaults.DictionaryBridge() }
  /// Whether property lists have the type of the values, and the keys are strings.
  public static var isNativelySupportedType: Bool {
    Key.self == String.self && Value.isNativelySupportedType
  }
}

extension Range: Defaults.RangeSerializable where Bound: Defaults.Serializable {
  /// Stores an array of the bounds.
  public static var bridge: Defaults.RangeBridge<Range> { Defaults.RangeBridge() }
}

extension ClosedRange: Defaults.RangeSerializable where Bound: Defaults.Serializable {
  /// Stores an array of the bounds.
  public static var bridge: Defaults.RangeBridge<ClosedRange> { Defaults.RangeBridge() }
}
