internal import FoundationEssentials

/// The encoding of a document. Edited text is encoded in it again.
struct EncodedText {
  private enum Encoding {
    case known(TextEncoding)
    /// An encoding that iconv knows.
    case named(String)
  }

  private let format: PlistFormat
  private let encoding: Encoding
  private let mark: Data

  /// The encoding of a document that can be read.
  init(of data: Data, _ format: PlistFormat, options: PlistReadOptions) {
    let known = data.withUnsafeBytes { bytes -> (encoding: TextEncoding, length: Int) in
      if format == .xml, let encoding = try? XMLEncoding(of: bytes) {
        return (encoding.encoding, encoding.markLength)
      }
      return TextEncoding.mark(of: bytes) ?? (.utf8, 0)
    }
    self.format = format
    mark = data.prefix(known.length)
    if format == .openStep, mark.isEmpty, let name = options.encoding {
      encoding = .named(name)
    } else {
      encoding = .known(known.encoding)
    }
  }

  /// The name of the encoding.
  var name: String {
    switch encoding {
    case .known(let encoding): encoding.name
    case .named(let name): name
    }
  }

  /// Replaces parts of a document. Characters that the encoding lacks are escaped.
  ///
  /// - Parameters:
  ///   - text: The text of the document.
  ///   - data: The document.
  ///   - replacements: The replacements, in order.
  /// - Returns: Nil if the parts that stay cannot be encoded as they were, or the new ones not at
  ///   all.
  func replacing(
    _ replacements: [TextReplacement], in text: [UInt8], of data: Data
  ) -> Data? {
    var edited = mark
    var original = mark
    var position = 0
    for replacement in replacements + [TextReplacement(text.count..<text.count)] {
      guard position <= replacement.range.lowerBound,
        let kept = encode(text[position..<replacement.range.lowerBound]),
        let old = encode(text[replacement.range]),
        let new = encode(replacement.bytes[...]) ?? encode(escaping(replacement.bytes)[...])
      else { return nil }
      edited += kept + new
      original += kept + old
      position = replacement.range.upperBound
    }
    return original == data ? edited : nil
  }

  private func encode(_ text: ArraySlice<UInt8>) -> Data? {
    switch encoding {
    case .known(.utf8): return Data(text)
    case .known(let encoding): return encoding.encode(text).map { Data($0) }
    case .named(let name):
      guard var converter = EncodingConverter(from: "UTF-8", to: name) else { return nil }
      var output: [UInt8] = []
      let isEncoded = text.withUnsafeBytes { converter.convert($0, to: &output) }
      return isEncoded ? Data(output) : nil
    }
  }

  /// Returns text with escapes for the characters that the encoding lacks. Only strings have any.
  private func escaping(_ text: [UInt8]) -> [UInt8] {
    String(decoding: text, as: UTF8.self).unicodeScalars.flatMap { scalar -> [UInt8] in
      let bytes = Array(String(scalar).utf8)
      guard !scalar.isASCII, encode(bytes[...]) == nil else { return bytes }
      switch format {
      case .xml: return Array("&#\(scalar.value);".utf8)
      case .openStep:
        var escaped = OutputBuffer()
        escaped.append(openStepQuoted: String(scalar), isASCII: true)
        return Array(escaped.bytes.dropFirst().dropLast())
      case .json, .binary: return bytes
      }
    }
  }
}
