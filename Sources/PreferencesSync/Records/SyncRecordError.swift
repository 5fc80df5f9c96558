public import PropertyList

/// Why bytes are no record, or a value cannot be in one.
public enum SyncRecordError: Error, Sendable, Hashable {
  /// The bytes are not a binary property list, or the value makes none that could be read again.
  case notAPropertyList(PlistError)
  /// The property list is not an array of a date and at most one value.
  case notARecord
  /// The date is not a number, or not within some thousand years of ours.
  case dateOutOfRange
  /// The value is one that preferences cannot hold.
  case unsupportedValue
}

extension SyncRecordError: CustomStringConvertible {
  /// One line of text.
  public var description: String {
    switch self {
    case .notAPropertyList(let error): "\(error)"
    case .notARecord: "not a record; expected an array of a date and at most one value"
    case .dateOutOfRange:
      "the date of the record is out of range; expected one before the year 10000"
    case .unsupportedValue: "the record holds a value that preferences cannot hold"
    }
  }
}
