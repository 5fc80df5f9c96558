public import PropertyList

/// An error of encoding or decoding a ``SyncRecord``.
public enum SyncRecordError: Error, Sendable, Hashable {
  /// The data is not a binary property list, or the value cannot be written as one.
  case notAPropertyList(PlistError)
  /// The property list is not an array of a date, or of a date, a counter and an origin, and of at
  /// most one value.
  case notARecord
  /// The date is not a number, or not before the last second of the year 9999.
  case dateOutOfRange
  /// The value is of a kind that preferences cannot store.
  case unsupportedValue
}

extension SyncRecordError: CustomStringConvertible {
  /// One line of text.
  public var description: String {
    switch self {
    case .notAPropertyList(let error): "\(error)"
    case .notARecord:
      "not a record; expected an array of a date, a counter, an origin, and at most one value"
    case .dateOutOfRange:
      "the date of the record is out of range; expected one before the last second of the year 9999"
    case .unsupportedValue: "the record holds a value that preferences cannot store"
    }
  }
}
