package import FoundationEssentials
package import PropertyList

/// A document of a page: a file, a comparison of two files, or a domain of preferences. The page
/// reads it as JSON, without the members that a document does not have.
package struct InspectedDocument: Sendable, Encodable {
  package enum Kind: String, Sendable, Encodable {
    case file, comparison, preferences
  }

  /// A label and a text, such as `format` and `XML, UTF-8`.
  package typealias Fact = (label: String, text: String)

  private let kind: Kind
  /// The name as people know it, such as a path.
  package let name: String
  /// The likely purpose of the document, in a few words; empty if unknown.
  package let summary: String
  /// Pairs of a label and a text.
  private let facts: [[String]]
  /// The names of the two files of a comparison.
  package var names: [String]?
  var layers: [Layer]?
  /// The settings that a manifest describes.
  var settings: Settings?
  private var tree: InspectedTree?
  /// The objects of a keyed archive.
  private var graph: InspectedTree?
  private var warnings: [Message]?
  /// Why a file is not a valid property list, or has no values that can be shown.
  private var error: Message?
  private var source: Source?
  private var bytes: Bytes?
  /// Why the document has no values that can be shown, on one line; nil if it has.
  package var problem: String?

  private enum CodingKeys: CodingKey {
    case kind, name, facts, names, layers, settings, tree, graph, warnings, error, source, bytes
  }

  /// A document without contents.
  package init(_ kind: Kind, name: String, summary: String = "", facts: [Fact]) {
    self.kind = kind
    self.name = name
    self.summary = summary
    self.facts = facts.map { [$0.label, $0.text] }
  }

  package var warningCount: Int { warnings?.count ?? 0 }

  /// Whether the document has an error, or a layer that cannot be read.
  package var hasError: Bool { error != nil || layers?.contains { $0.error != nil } == true }

  // MARK: Contents

  /// Adds the values; or an error if there are too many for a page.
  package mutating func add(_ tree: InspectedTree) {
    if !tree.isTooLarge { return self.tree = tree }
    add(
      error: "the property list is too large to be shown; "
        + "use plutil -p -at to print a part of it")
  }

  package mutating func add(graph: InspectedTree) {
    if !graph.isTooLarge { self.graph = graph }
  }

  package mutating func add(_ warnings: [PlistWarning]) {
    self.warnings = warnings.map { Message($0.message, at: $0.location, $0.keyPath) }
  }

  /// Adds the error of a document that is not a valid property list, with its bytes.
  ///
  /// - Parameter encoding: See ``PlistReadOptions/encoding``.
  package mutating func add(
    _ error: PlistError, remedy: String = "", in data: Data, encoding: String? = nil
  ) {
    self.error = Message("\(error.kind)\(remedy)", at: error.location, error.keyPath)
    source = Source(DocumentText(data, encoding: encoding), around: error.location)
  }

  package mutating func add(error message: String) {
    problem = message
    error = Message(message, at: nil, PlistKeyPath())
  }

  package mutating func add(_ map: BinaryLayout, of data: Data) {
    bytes = Bytes(map, of: data)
  }
}

/// A warning or an error, at a line and a column or at a byte.
private struct Message: Sendable, Encodable {
  let message: String
  /// Keys and indices.
  let path: [String]
  var line: Int?
  var column: Int?
  var byte: Int?

  init(_ message: String, at location: PlistError.Location?, _ keyPath: PlistKeyPath) {
    self.message = message
    path = keyPath.components
    switch location {
    case .line(let line, let column)?: (self.line, self.column) = (line, column)
    case .byte(let offset)?: byte = offset
    case nil: break
    }
  }
}

/// The map of a binary property list.
private struct Bytes: Sendable, Encodable {
  /// The offsets and the ends of the objects by number, -1 where they are not valid.
  let offsets, ends: [Int]
  /// The type bytes of the objects.
  let markers: [UInt8]
  /// The numbers of objects that nothing refers to.
  let unreachable: [Int]
  /// Pairs of the first offset and the end of bytes in no object.
  let gaps: [[Int]]
  /// The offset of the offset table.
  let table: Int
  /// The number of the top object.
  let top: Int
  let offsetSize, referenceSize: Int
  let base64: String

  init(_ map: BinaryLayout, of data: Data) {
    offsets = map.objects.map { $0.range?.lowerBound ?? -1 }
    ends = map.objects.map { $0.range?.upperBound ?? -1 }
    markers = map.objects.map { $0.marker ?? 0 }
    unreachable = map.objects.indices.filter { !map.objects[$0].isReachable }
    gaps = map.gaps.map { [$0.lowerBound, $0.upperBound] }
    table = map.table.lowerBound
    top = map.topObject
    (offsetSize, referenceSize) = (map.sizes.offset, map.sizes.reference)
    base64 = data.base64EncodedString()
  }
}

/// The bytes of an invalid file; for a large file, a part around the error.
private struct Source: Sendable, Encodable {
  /// The offset of the first byte, and its place, counted from one.
  let start, line, column: Int
  let error: Int?
  /// The number of bytes of the whole file.
  let size: Int
  let isText: Bool
  let base64: String

  init(_ text: DocumentText, around location: PlistError.Location?) {
    error = location.map { text.offset(of: $0) }
    let range = Self.excerpt(of: text.data, around: error ?? 0)
    let part = text.data[range]
    isText =
      text.isConverted
      || !part.contains(0) && String(decoding: part, as: UTF8.self).utf8.elementsEqual(part)
    start = range.lowerBound
    (line, column) = text.lineAndColumn(of: start)
    size = text.data.count
    base64 = part.base64EncodedString()
  }

  /// Text longer than this is cut, far from the error.
  private static let limit = 1 << 20

  /// The part of a text that is shown: the surroundings of the error, from the beginning of a line
  /// if one begins there. Characters are not divided.
  private static func excerpt(of text: Data, around error: Int) -> Range<Int> {
    var start = max(0, min(error - limit / 2, text.count - limit))
    if start > 0 {
      start = lineStart(in: text, start..<error) ?? characterStart(in: text, at: start)
    }
    let end = start + limit
    return start..<(end < text.count ? characterStart(in: text, at: end) : text.count)
  }

  /// The beginning of the first line that begins after the first byte of a range.
  private static func lineStart(in text: Data, _ range: Range<Int>) -> Int? {
    let newline = range.first {
      text[$0] == 0x0A || text[$0] == 0x0D && $0 + 1 < text.count && text[$0 + 1] != 0x0A
    }
    return newline.map { $0 + 1 }
  }

  /// The beginning of the character to which a byte belongs, in UTF-8 text.
  private static func characterStart(in text: Data, at offset: Int) -> Int {
    (max(0, offset - 3)...offset).last { text[$0] & 0xC0 != 0x80 } ?? offset
  }
}
