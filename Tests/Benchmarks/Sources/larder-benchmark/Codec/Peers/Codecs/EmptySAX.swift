import CLibXML2
import Foundation

/// The limit of reading XML with libxml2: its SAX2 interface with callbacks that do nothing, fed from
/// memory in the pieces that it asks for, as Larder's reader feeds it.
struct EmptySAX: Codec {
  /// The version of libxml2's headers.
  static let version = LIBXML_DOTTED_VERSION

  static func has(_ operation: CodecOperation) -> Bool { operation == .readXML }

  func work(_ operation: CodecOperation, _ data: Data) -> () throws -> Void {
    { try Self.parse(data) }
  }

  static func parse(_ data: Data) throws {
    let isWellFormed = data.withUnsafeBytes { bytes in
      var rest = bytes
      return withUnsafeMutablePointer(to: &rest, parse)
    }
    try ensure(isWellFormed, "libxml2 does not read it")
  }

  /// Parses what is left of a document, which reading takes away.
  private static func parse(_ rest: UnsafeMutablePointer<UnsafeRawBufferPointer>) -> Bool {
    let context = xmlCreateIOParserCtxt(nil, nil, read, nil, nil, XML_CHAR_ENCODING_NONE)
    guard let context else { return false }
    defer { xmlFreeParserCtxt(context) }
    context.pointee.input.pointee.buf.pointee.context = UnsafeMutableRawPointer(rest)
    xmlCtxtUseOptions(context, Int32(XML_PARSE_NONET.rawValue | XML_PARSE_HUGE.rawValue))
    var callbacks = xmlSAXHandler()
    callbacks.initialized = UInt32(XML_SAX2_MAGIC)
    callbacks.startElementNs = { _, _, _, _, _, _, _, _, _ in }
    callbacks.endElementNs = { _, _, _, _ in }
    callbacks.characters = { _, _, _ in }
    callbacks.ignorableWhitespace = callbacks.characters
    context.pointee.sax.pointee = callbacks
    return xmlParseDocument(context) == 0
  }

  private static let read: xmlInputReadCallback = { reference, buffer, capacity in
    let rest = reference!.assumingMemoryBound(to: UnsafeRawBufferPointer.self)
    let piece = rest.pointee.prefix(Int(capacity))
    UnsafeMutableRawBufferPointer(start: buffer, count: Int(capacity)).copyBytes(from: piece)
    rest.pointee = UnsafeRawBufferPointer(rebasing: rest.pointee.dropFirst(piece.count))
    return Int32(piece.count)
  }
}
