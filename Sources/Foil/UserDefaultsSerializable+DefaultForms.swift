public import FoundationEssentials
internal import PropertyList
internal import TypedPreferences

// The default implementations for types that only declare their conformance.

/// Types with raw values, stored as these.
extension UserDefaultsSerializable
where Self: RawRepresentable, RawValue: UserDefaultsSerializable {
  /// The stored form of the raw value.
  public var storedValue: RawValue.StoredValue { rawValue.storedValue }

  /// Creates the value with a stored raw value; nil if there is none.
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

/// Codable types with raw values, stored as these.
extension UserDefaultsSerializable
where Self: Codable & RawRepresentable, RawValue: UserDefaultsSerializable {
  /// The stored form of the raw value.
  public var storedValue: RawValue.StoredValue { rawValue.storedValue }

  /// Creates the value with a stored raw value; nil if there is none.
  public init?(storedValue: RawValue.StoredValue) {
    guard let rawValue = RawValue(storedValue: storedValue) else { return nil }
    self.init(rawValue: rawValue)
  }
}
