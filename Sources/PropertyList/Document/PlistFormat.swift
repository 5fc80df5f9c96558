public import FoundationEssentials

/// The formats of property lists.
public enum PlistFormat: String, Sendable, Hashable, CaseIterable {
  /// Apple's XML property list, version 1.0.
  case xml
  /// Apple's binary property list, `bplist00`.
  case binary
  /// JSON, as RFC 8259 defines it.
  case json
  /// The old-style text of OpenStep and GNUstep, `.strings` tables included.
  case openStep

  /// Detects the format of a document by its first bytes after a byte-order mark and white space.
  ///
  /// - `bplist`, which must be the very first bytes, is binary.
  /// - `<` is XML, unless it opens OpenStep data (`<0fbd77>`, whole bytes) or a GNUstep typed value
  ///   (`<*I5>`).
  /// - `[` is JSON, and so is `{` before a key in double quotes and a colon, neither of which
  ///   occurs there in OpenStep text. `{}` means the same in both and is detected as JSON.
  /// - Anything else is OpenStep, the one format without a signature. That includes a lone string,
  ///   number or word, which JSON also allows; pass ``json`` to read one as JSON.
  public init(detecting data: Data) {
    self = data.withUnsafeBytes { Self.detect($0) }
  }

  static func detect(_ bytes: UnsafeRawBufferPointer) -> PlistFormat {
    if bytes.starts(with: "bplist".utf8) { return .binary }
    var characters = LeadingCharacters(bytes)
    switch characters.nextNonspace() {
    case UInt8(ascii: "<"): return detectMarkup(&characters)
    case UInt8(ascii: "["): return .json
    case UInt8(ascii: "{"): return detectDictionary(&characters)
    default: return .openStep
    }
  }

  /// The format of a document that begins with `<`.
  private static func detectMarkup(_ characters: inout LeadingCharacters) -> PlistFormat {
    var character = characters.next()
    if character == UInt8(ascii: "*") { return .openStep }
    var digits = 0
    while let digit = character, digit.hexadecimalDigit != nil || digit.isXMLSpace {
      if !digit.isXMLSpace { digits += 1 }
      character = characters.next()
    }
    return character == UInt8(ascii: ">") && digits.isMultiple(of: 2) ? .openStep : .xml
  }

  /// The format of a document that begins with `{`.
  private static func detectDictionary(_ characters: inout LeadingCharacters) -> PlistFormat {
    switch characters.nextNonspace() {
    case UInt8(ascii: "}"):
      return characters.nextNonspace() == nil ? .json : .openStep
    case UInt8(ascii: "\""):
      var character = characters.next()
      while let byte = character, byte != UInt8(ascii: "\"") {
        if byte == UInt8(ascii: "\\") { _ = characters.next() }
        character = characters.next()
      }
      return characters.nextNonspace() == UInt8(ascii: ":") ? .json : .openStep
    default:
      return .openStep
    }
  }
}

extension PlistFormat {
  /// The format's name in texts, such as the errors of readers and writers.
  package var title: String {
    switch self {
    case .xml: "XML"
    case .binary: "binary"
    case .json: "JSON"
    case .openStep: "OpenStep text"
    }
  }

  /// The format's name on a command line.
  package var commandLineName: String {
    switch self {
    case .xml: "xml1"
    case .binary: "binary1"
    case .json: "json"
    case .openStep: "openstep"
    }
  }

  /// The names of all formats on a command line.
  package static let commandLineNames = allCases.map(\.commandLineName)

  /// The format with a name on a command line; nil for any other name.
  package init?(commandLineName name: String) {
    guard let format = Self.allCases.first(where: { $0.commandLineName == name }) else {
      return nil
    }
    self = format
  }
}
