public import FoundationEssentials

/// The ways in which a property list is stored.
public enum PlistFormat: String, Sendable, Hashable, CaseIterable {
  /// Apple's XML property list, version 1.0.
  case xml
  /// Apple's binary property list, `bplist00`.
  case binary
  /// JSON, as RFC 8259 defines it.
  case json
  /// The old-style text of OpenStep and GNUstep, `.strings` tables included.
  case openStep

  /// The format that a document's leading bytes speak of, after a byte-order mark and white space.
  ///
  /// - `bplist`, before which nothing may stand, is binary.
  /// - `<` is XML, unless it opens OpenStep data (`<0fbd77>`, whole bytes) or a GNUstep typed value
  ///   (`<*I5>`).
  /// - `[` is JSON, and so is `{` before a key in double quotes and a colon, neither of which any
  ///   OpenStep document has there. `{}` is the same in both and taken for JSON.
  /// - The rest is OpenStep, the one format without a signature: also a string, number or word alone,
  ///   which JSON allows but OpenStep allowed first. Such JSON is read where it is asked for.
  public init(detecting data: Data) {
    self = data.withUnsafeBytes { Self.detect($0) }
  }

  static func detect(_ bytes: UnsafeRawBufferPointer) -> PlistFormat {
    if bytes.starts(with: "bplist".utf8) { return .binary }
    var characters = LeadingCharacters(bytes)
    switch characters.nextBehindSpace() {
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
    switch characters.nextBehindSpace() {
    case UInt8(ascii: "}"):
      return characters.nextBehindSpace() == nil ? .json : .openStep
    case UInt8(ascii: "\""):
      var character = characters.next()
      while let byte = character, byte != UInt8(ascii: "\"") {
        if byte == UInt8(ascii: "\\") { _ = characters.next() }
        character = characters.next()
      }
      return characters.nextBehindSpace() == UInt8(ascii: ":") ? .json : .openStep
    default:
      return .openStep
    }
  }
}

// A new format gets its names here; readers and writers are chosen in Plist.swift.
extension PlistFormat {
  /// The format's name in the errors of readers and writers.
  var title: String {
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
