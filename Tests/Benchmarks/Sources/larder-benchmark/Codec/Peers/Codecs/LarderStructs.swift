import Foundation
import PropertyList

/// Larder's decoder and encoder with the structs of the media library.
struct LarderStructs: Codec {
  func work(_ operation: CodecOperation, _ data: Data) throws -> () throws -> Void {
    func decode() throws -> MediaLibrary {
      try PlistDecoder().decode(MediaLibrary.self, from: data)
    }
    guard !operation.isReading else { return { consume(try decode()) } }
    let library = try decode()
    let encoder = PlistEncoder(outputFormat: operation.format.format)
    return { consume(try encoder.encode(library)) }
  }
}

/// The structs of the media library, converted to and from Larder's values by handwritten code.
struct LarderStructsByHand: Codec {
  func work(_ operation: CodecOperation, _ data: Data) throws -> () throws -> Void {
    func decode() throws -> MediaLibrary { try MediaLibrary(Plist.read(data).value) }
    guard !operation.isReading else { return { consume(try decode()) } }
    let library = try decode()
    let format = operation.format.format
    return { consume(try Plist.write(library.value, as: format)) }
  }
}
