import Foundation

/// Foundation's PropertyListSerialization.
struct FoundationCodec: Codec {
  func work(_ operation: CodecOperation, _ data: Data) throws -> () throws -> Void {
    guard !operation.isReading else { return { consume(try Self.read(data)) } }
    let value = try Self.read(data)
    let format = operation.format.foundationFormat
    return {
      consume(
        try PropertyListSerialization.data(fromPropertyList: value, format: format, options: 0))
    }
  }

  static func read(_ data: Data) throws -> Any {
    try PropertyListSerialization.propertyList(from: data, format: nil)
  }
}
