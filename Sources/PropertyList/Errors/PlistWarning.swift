/// An oddity in a document that a reader accepts.
public struct PlistWarning: Sendable, Hashable {
  /// The kind of warning.
  public var kind: Kind

  /// The location in the document.
  public var location: PlistError.Location?

  /// The path of the value that the warning is about.
  public var keyPath: PlistKeyPath

  /// The kinds of warnings.
  public enum Kind: Sendable, Hashable {
    /// A dictionary contains a key more than once; the last value wins.
    case duplicateKey
    /// An XML document contains control characters, which XML excludes; this is the first.
    case controlCharacter(UInt8)
    /// A real is so small that a double can only represent it as zero.
    case underflow
    /// A date in XML has a fraction of a second or an offset from UTC; accepted with
    /// ``PlistReadOptions/allowsLenientDates``.
    case lenientDate
    /// Data has characters that are not base64, or lacks padding; accepted with
    /// ``PlistReadOptions/allowsMalformedBase64``.
    case malformedBase64
    /// A binary string that is marked as ASCII has bytes above 127. They are read as UTF-8 if they
    /// are valid, else as ISO-8859-1.
    case nonASCIIString(isUTF8: Bool)
    /// An OpenStep document has octal escapes above `\177`, which Apple's readers interpret in
    /// NeXTSTEP's encoding, and GNUstep's as Unicode. They are read as by Apple's readers. Escapes
    /// that this encoding does not define, from `\376` on, are read as by GNUstep's.
    case octalEscape
    /// An XML document has no `<plist>` element around its value.
    case noPlistElement
    /// An XML document has comments or processing instructions before its XML declaration.
    case misplacedDeclaration
    /// The DOCTYPE of an XML document lacks a quote.
    case malformedDoctype
    /// An OpenStep document is a single bare word, as any text file of one word is.
    case bareWord
  }
}

extension PlistWarning: CustomStringConvertible {
  /// The warning on one line, such as `line 4 column 2: the key appears more than once; the last
  /// value wins`.
  public var description: String { PlistError.describe(message, at: location, keyPath: keyPath) }

  /// The oddity, without a place.
  package var message: String {
    switch kind {
    case .duplicateKey: "the key appears more than once; the last value wins"
    case .controlCharacter(let byte):
      "XML does not allow the character \(UInt32(byte).codePointText)"
    case .underflow: "the real is too small for a double and is read as 0"
    case .lenientDate: "the date is not in the form YYYY-MM-DDTHH:MM:SSZ"
    case .malformedBase64:
      "the data is not valid base64; other characters are ignored, and missing padding is added"
    case .nonASCIIString(let isUTF8):
      "the string is marked as ASCII but is not; read as \(isUTF8 ? "UTF-8" : "ISO-8859-1")"
    case .octalEscape:
      #"octal escapes above \177 are read in the NeXTSTEP encoding; GNUstep reads them as Unicode"#
    case .noPlistElement: "the value has no <plist> element around it"
    case .misplacedDeclaration: "the XML declaration is not at the start of the document"
    case .malformedDoctype: "the DOCTYPE lacks a quote, and is ignored"
    case .bareWord: "the document is a single bare word, read as a string"
    }
  }
}
