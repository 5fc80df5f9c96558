internal import PropertyList

extension ValueConversionError {
  /// Calls a closure that codes by Codable, and throws the error that corresponds to its own.
  static func ofCoding<Result>(
    _ body: () throws -> Result
  ) throws(ValueConversionError) -> Result {
    do { return try body() } catch { throw ValueConversionError(coding: error) }
  }

  /// Creates the error that corresponds to an error thrown while coding by Codable.
  private init(coding error: any Error) {
    switch error {
    case let error as ValueConversionError: self = error
    case let error as DecodingError: self.init(decoding: error)
    case EncodingError.invalidValue(_, let context):
      self.init(.coding(context.debugDescription), path: PlistKeyPath(context.codingPath))
    default: self.init(.coding("\(error)"))
    }
  }

  private init(decoding error: DecodingError) {
    switch error {
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .dataCorrupted(let context):
      self.init(.coding(context.debugDescription), path: PlistKeyPath(context.codingPath))
    case .keyNotFound(let key, let context):
      self.init(
        .coding("the dictionary has no key \(key.stringValue)"),
        path: PlistKeyPath(context.codingPath))
    @unknown default:
      self.init(.coding("\(error)"))
    }
  }
}

extension PlistKeyPath {
  fileprivate init(_ codingPath: [any CodingKey]) {
    self.init(components: codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue })
  }
}
