extension EncodingError {
  /// Returns the error of a value that a property list cannot hold.
  static func invalid(
    _ value: Any, at path: CodingPath, _ text: String
  ) -> EncodingError {
    .invalidValue(value, Context(codingPath: path.keys, debugDescription: text))
  }

  /// Returns the error of nil in an array.
  static func nilElement(at path: CodingPath) -> EncodingError {
    .invalid(Any?.none as Any, at: path, "An array in a property list cannot contain nil.")
  }
}
