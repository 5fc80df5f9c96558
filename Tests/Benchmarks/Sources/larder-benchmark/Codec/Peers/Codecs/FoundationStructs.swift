import Foundation

/// Foundation's decoder and encoder with the structs of the media library.
struct FoundationStructs: Codec {
  func work(_ operation: CodecOperation, _ data: Data) throws -> () throws -> Void {
    func decode() throws -> MediaLibrary {
      try PropertyListDecoder().decode(MediaLibrary.self, from: data)
    }
    guard !operation.isReading else { return { consume(try decode()) } }
    let library = try decode()
    let encoder = PropertyListEncoder()
    encoder.outputFormat = operation.format.foundationFormat
    return { consume(try encoder.encode(library)) }
  }
}
