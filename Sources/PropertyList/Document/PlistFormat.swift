public import FoundationEssentials

/// The formats of property lists.
public enum PlistFormat: String, Sendable, Hashable, CaseIterable {
  /// Apple's XML property list, version 1.0.
  case xml
  /// Apple's binary property list, `bplist00`.
  case binary
  /// JSON, as RFC 8259 defines it.
  case json
  /// The old-style text of OpenStep and GNUstep, including `.strings` tables.
  case openStep

  /// Detects the format of a document by its first bytes after a byte-order mark and white space.
  ///
  /// - `bplist`, which must be the very first bytes, is binary.
  /// - `<` is XML, unless it opens OpenStep data (`<0fbd77>`, whole bytes) or a GNUstep typed value
  ///   (`<*I5>`).
  /// - `[` is JSON, and so is `{` before a key in double quotes and a colon: OpenStep text cannot
  ///   begin like this. `{}` means the same in both and is detected as JSON.
  /// - Anything else is OpenStep, the only format without a signature. That includes a lone string,
  ///   number or word, which JSON also allows; pass ``json`` to read one as JSON.
  public init(detecting data: Data) { self = data.withUnsafeBytes { Self.detect($0) } }

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
    case UInt8(ascii: "}"): return characters.nextNonspace() == nil ? .json : .openStep
    case UInt8(ascii: "\""):
      var character = characters.next()
      while let byte = character, byte != UInt8(ascii: "\"") {
        if byte == UInt8(ascii: "\\") { _ = characters.next() }
        character = characters.next()
      }
      return characters.nextNonspace() == UInt8(ascii: ":") ? .json : .openStep
    default: return .openStep
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

  package var commandLineName: String {
    switch self {
    case .xml: "xml1"
    case .binary: "binary1"
    case .json: "json"
    case .openStep: "openstep"
    }
  }

  package static let commandLineNames = allCases.map(\.commandLineName)

  package init?(commandLineName name: String) {
    guard let format = Self.allCases.first(where: { $0.commandLineName == name }) else {
      return nil
    }
    self = format
  }
}

/// The characters of a text in UTF-8, UTF-16 or UTF-32, for the detection of its format. ASCII
/// characters are returned unchanged, and any other character as one or more bytes FF.
private struct LeadingCharacters: IteratorProtocol {
  private let bytes: UnsafeRawBufferPointer
  private var offset = 0
  /// The bytes of a code unit.
  private let width: Int
  /// The position of the least significant byte in a code unit.
  private let lowByte: Int

  /// - Parameter bytes: The text. A byte-order mark is skipped.
  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    (width, lowByte) =
      if !bytes.isWideText {
        (1, 0)
      } else if bytes.starts(with: [0, 0]) {
        (4, 3)
      } else if bytes[0] == 0 || bytes[0] == 0xFE {
        (2, 1)
      } else {
        (bytes.dropFirst(2).starts(with: [0, 0]) ? 4 : 2, 0)
      }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      offset = 3
    } else if width > 1, next() != 0xFF {
      offset = 0
    }
  }

  mutating func next() -> UInt8? {
    guard bytes.count - offset >= width else { return nil }
    defer { offset += width }
    return unit(at: offset)
  }

  mutating func nextNonspace() -> UInt8? {
    var character = next()
    while let space = character, space.isXMLSpace { character = next() }
    return character
  }

  private func unit(at offset: Int) -> UInt8 {
    for byte in 0..<width where byte != lowByte && bytes[offset + byte] != 0 { return 0xFF }
    let character = bytes[offset + lowByte]
    return character < 0x80 ? character : 0xFF
  }
}

extension UnsafeRawBufferPointer {
  /// Whether a text is in UTF-16 or UTF-32: it begins with their byte-order mark, or with an ASCII
  /// character of more than one byte.
  var isWideText: Bool {
    count >= 2
      && (self[0] == 0 || self[1] == 0 || starts(with: [0xFE, 0xFF]) || starts(with: [0xFF, 0xFE]))
  }
}
