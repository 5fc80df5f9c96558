extension EncodingError {
  /// The error of a value that a property list cannot hold.
  static func invalid(
    _ value: Any, at path: CodingPath, _ text: String
  ) -> EncodingError {
    .invalidValue(value, Context(codingPath: path.keys, debugDescription: text))
  }

  /// The error of nil where an array would have to hold it.
  static func nilElement(at path: CodingPath) -> EncodingError {
    .invalid(Any?.none as Any, at: path, "An array of a property list cannot hold nil.")
  }
}

extension PlistValue {
  /// The integer, where one of 64 bits with or without a sign can hold it.
  static func number(
    _ number: some FixedWidthInteger, at path: @autoclosure () -> CodingPath
  ) throws(EncodingError) -> PlistValue {
    if let signed = Int64(exactly: number) { return .integer(signed) }
    if let unsigned = UInt64(exactly: number) { return .unsignedInteger(unsigned) }
    throw .invalid(
      number, at: path(),
      "The integer \(number) is out of the range of a property list, -2^63 to 2^64-1.")
  }
}
