import Foundation
import PropertyList

/// Larder's reader and writer.
struct LarderCodec: Codec {
  func work(_ operation: CodecOperation, _ data: Data) throws -> () throws -> Void {
    guard !operation.isReading else { return { consume(try Plist.read(data)) } }
    let value = try Plist.read(data).value
    let format = operation.format.format
    return { consume(try Plist.write(value, as: format)) }
  }
}
