import CEmptySAX
import Foundation

/// The limit of reading XML with libxml2: its SAX2 interface with empty callbacks.
struct EmptySAX: Codec {
  /// The version of libxml2's headers.
  static let version = String(cString: empty_sax_version())

  static func supports(_ operation: CodecOperation) -> Bool { operation == .readXML }

  func work(_ operation: CodecOperation, _ data: Data) -> () throws -> Void {
    { try Self.parse(data) }
  }

  static func parse(_ data: Data) throws {
    let isWellFormed = data.withUnsafeBytes { empty_sax_parse($0.baseAddress, $0.count) != 0 }
    try ensure(isWellFormed, "libxml2 rejects the document")
  }
}
