public import FoundationEssentials
internal import PropertyList
internal import TypedPreferences

/// Types with raw values.
extension UserDefaultsSerializable
where Self: RawRepresentable, RawValue: UserDefaultsSerializable {
  /// What is stored for the raw value.
  public var storedValue: RawValue.StoredValue { rawValue.storedValue }

  /// The value with the raw value that was stored; nil where there is none.
  public init?(storedValue: RawValue.StoredValue) {
    guard let rawValue = RawValue(storedValue: storedValue) else { return nil }
    self.init(rawValue: rawValue)
  }
}

/// Codable types.
extension UserDefaultsSerializable where Self: Codable {
  /// The value as JSON with sorted keys; nothing if it cannot be encoded, which keeps the wrappers from
  /// storing it.
  public var storedValue: Data {
    do throws(ValueConversionError) {
      guard case .data(let json)? = try PlistCoder.jsonData().encode(self) else { return Data() }
      return json
    } catch {
      CodableFailure.note(error)
      return Data()
    }
  }

  /// The value that JSON stands for; nil where there is none.
  public init?(storedValue: Data) {
    do throws(ValueConversionError) {
      self = try PlistCoder.jsonData().decode(.data(storedValue))
    } catch {
      CodableFailure.note(error)
      return nil
    }
  }
}

/// Codable types with raw values, which are stored as these.
extension UserDefaultsSerializable
where Self: Codable & RawRepresentable, RawValue: UserDefaultsSerializable {
  /// What is stored for the raw value.
  public var storedValue: RawValue.StoredValue { rawValue.storedValue }

  /// The value with the raw value that was stored; nil where there is none.
  public init?(storedValue: RawValue.StoredValue) {
    guard let rawValue = RawValue(storedValue: storedValue) else { return nil }
    self.init(rawValue: rawValue)
  }
}
