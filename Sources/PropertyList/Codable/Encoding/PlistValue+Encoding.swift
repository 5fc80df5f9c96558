extension PlistValue {
  /// Returns an integer value, signed if it fits.
  ///
  /// - Throws: `EncodingError` if the integer fits neither 64 bits with nor without a sign.
  static func number(
    _ number: some FixedWidthInteger, at path: @autoclosure () -> CodingPath
  ) throws(EncodingError) -> PlistValue {
    if let signed = Int64(exactly: number) { return .integer(signed) }
    if let unsigned = UInt64(exactly: number) { return .unsignedInteger(unsigned) }
    throw .invalid(
      number, at: path(),
      "The integer \(number) is out of range for a property list; expected -2^63 to 2^64-1.")
  }
}
