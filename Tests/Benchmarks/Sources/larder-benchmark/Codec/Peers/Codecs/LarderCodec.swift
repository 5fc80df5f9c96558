import Foundation
import PropertyList

/// This package.
struct LarderCodec: Codec {
  func work(_ operation: CodecOperation, _ data: Data) throws -> () throws -> Void {
    guard !operation.isReading else { return { consume(try PropertyList.read(data)) } }
    let value = try PropertyList.read(data).value
    let format = operation.format.format
    return { consume(try PropertyList.write(value, as: format)) }
  }
}
