public import FoundationEssentials
internal import PropertyList
internal import TypedPreferences

/// Adapts a type to its stored form, a value of another type.
///
/// Types that are Codable or have raw values only declare the conformance. Others implement it; the
/// initializer need not be failable.
///
/// ```swift
/// struct Percentage: UserDefaultsSerializable {
///   let value: Int
///   var storedValue: Int { value }
///
///   init?(storedValue: Int) {
///     guard (0...100).contains(storedValue) else { return nil }
///     value = storedValue
///   }
/// }
/// ```
public protocol UserDefaultsSerializable: SendableMetatype {
  /// The type of the stored form: a property-list type, or a container of such types.
  associatedtype StoredValue

  /// The stored form of the value.
  var storedValue: StoredValue { get }

  /// Creates a value from its stored form; nil if there is none.
  init?(storedValue: StoredValue)
}

/// A standard type that is stored without conversion.
///
/// A type only declares the conformance. These are not default implementations of
/// ``UserDefaultsSerializable``, because they would take precedence over the ones for Codable
/// types.
public protocol SelfSerializable: UserDefaultsSerializable where StoredValue == Self {}

extension SelfSerializable {
  /// The value itself.
  public var storedValue: Self { self }
  /// Creates the value itself.
  public init(storedValue: Self) { self = storedValue }
}

// The default implementations for types that only declare their conformance.

/// Types with raw values, stored as their raw values.
extension UserDefaultsSerializable
where Self: RawRepresentable, RawValue: UserDefaultsSerializable {
  /// The stored form of the raw value.
  public var storedValue: RawValue.StoredValue { rawValue.storedValue }

  /// Creates the value that has a stored raw value; nil if there is none.
  public init?(storedValue: RawValue.StoredValue) {
    guard let rawValue = RawValue(storedValue: storedValue) else { return nil }
    self.init(rawValue: rawValue)
  }
}

/// Codable types, stored as JSON data.
extension UserDefaultsSerializable where Self: Codable {
  /// The value as JSON with sorted keys. Nil if it cannot be encoded; the property wrappers report
  /// that and store nothing.
  public var storedValue: Data? {
    do throws(ValueConversionError) {
      guard case .data(let json)? = try PlistCoder.jsonData().encode(self) else { return nil }
      return json
    } catch {
      ConversionErrorRecorder.record(error)
      return nil
    }
  }

  /// Creates a value from JSON; nil if there is none or it cannot be decoded.
  public init?(storedValue: Data?) {
    guard let storedValue else { return nil }
    do throws(ValueConversionError) {
      self = try PlistCoder.jsonData().decode(.data(storedValue))
    } catch {
      ConversionErrorRecorder.record(error)
      return nil
    }
  }
}

/// Codable types with raw values, stored as their raw values.
extension UserDefaultsSerializable
where Self: Codable & RawRepresentable, RawValue: UserDefaultsSerializable {
  /// The stored form of the raw value.
  public var storedValue: RawValue.StoredValue { rawValue.storedValue }

  /// Creates the value that has a stored raw value; nil if there is none.
  public init?(storedValue: RawValue.StoredValue) {
    guard let rawValue = RawValue(storedValue: storedValue) else { return nil }
    self.init(rawValue: rawValue)
  }
}
