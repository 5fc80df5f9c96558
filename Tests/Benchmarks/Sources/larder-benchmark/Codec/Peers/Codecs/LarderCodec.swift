import Foundation
import PropertyList

/// Larder's reader and writer.
struct LarderCodec: Codec {
  func work(_ operation: CodecOperation, _ data: Data) throws -> () throws -> Void {
    guard !operation.isReading else { return { consume(try Plist.read(data)) } }
    return try writing(operation, data, .sorted)
  }
}

/// Larder's writer, with keys in the order of the document, as other libraries write them.
struct LarderOrderedCodec: Codec {
  static func supports(_ operation: CodecOperation) -> Bool { !operation.isReading }

  func work(_ operation: CodecOperation, _ data: Data) throws -> () throws -> Void {
    try writing(operation, data, .document)
  }
}

private func writing(
  _ operation: CodecOperation, _ data: Data, _ order: PlistWriteOptions.KeyOrder
) throws -> () throws -> Void {
  let value = try Plist.read(data).value
  let format = operation.format.format
  var options = PlistWriteOptions()
  options.keyOrder = order
  return { consume(try Plist.write(value, as: format, options: options)) }
}
