import Foundation

/// What a process of this program can do for a ``CodecProcess``.
protocol Codec: SendableMetatype {
  /// Whether it has an operation.
  static func has(_ operation: CodecOperation) -> Bool

  init() throws

  /// What does an operation once.
  ///
  /// - Parameter data: The document that is read, or, for writing, the binary one that is read beforehand.
  func work(_ operation: CodecOperation, _ data: Data) throws -> () throws -> Void
}

extension Codec {
  static func has(_ operation: CodecOperation) -> Bool { true }
}
