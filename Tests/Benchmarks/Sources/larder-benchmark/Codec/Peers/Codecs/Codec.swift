import Foundation

/// A codec that runs in a ``CodecProcess``.
protocol Codec: SendableMetatype {
  /// Returns whether the codec supports an operation.
  static func supports(_ operation: CodecOperation) -> Bool

  init() throws

  /// Returns a function that performs an operation once.
  ///
  /// - Parameter data: The document to read, or, for writing, the binary document to read
  ///   beforehand.
  func work(_ operation: CodecOperation, _ data: Data) throws -> () throws -> Void
}

extension Codec {
  static func supports(_ operation: CodecOperation) -> Bool { true }
}
