package import FoundationEssentials

extension TextEncoding {
  /// The name of the encoding, as documents declare it.
  var name: String {
    switch self {
    case .utf8: "UTF-8"
    case .utf16(let isBigEndian): isBigEndian ? "UTF-16BE" : "UTF-16LE"
    case .utf32(let isBigEndian): isBigEndian ? "UTF-32BE" : "UTF-32LE"
    case .ascii: "US-ASCII"
    case .latin1: "ISO-8859-1"
    case .windows1252: "windows-1252"
    }
  }
}

extension PlistDocument {
  /// Returns the name of the encoding of the bytes that the document was read from, with `and a
  /// byte-order mark` if they have one; nil for a binary document.
  ///
  /// - Parameter encoding: See ``PlistReadOptions/encoding``.
  package func encodingName(in data: Data, encoding: String? = nil) -> String? {
    data.withUnsafeBytes { bytes in
      let mark = TextEncoding.mark(of: bytes)
      let suffix = mark == nil ? "" : " with a byte-order mark"
      switch format {
      case .binary: return nil
      case .json: return "UTF-8" + suffix
      case .xml: return (try? XMLEncoding(of: bytes)).map { $0.encoding.name + suffix }
      case .openStep: return (mark?.encoding.name ?? encoding ?? "UTF-8") + suffix
      }
    }
  }
}
