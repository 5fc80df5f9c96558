package import FoundationEssentials
package import PropertyList

/// A document of a page: a file, the comparison of two, or a domain of preferences, as the JSON
/// that the page reads.
///
/// The JSON has `kind` (`file`, `comparison` or `preferences`), `name`, and `facts`, an array of
/// pairs of a label and a text. As far as there are any, it also has
///
/// - `names`: the names of the two files of a comparison,
/// - `tree`: the values (``InspectedTree``), and `graph`: the objects of a keyed archive, a tree as
///   well,
/// - `warnings`: objects with `message`, `path` (keys and indices), and `line` and `column`, or
///   `byte`,
/// - `error`: an object like that of a warning, for a file that is not a valid property list,
/// - `bytes`: the map of a binary property list (``add(_:of:)``),
/// - `source`: a file that is not valid, with its bytes as `base64`, and whether they are text in
///   UTF-8 as `isText`; of a large file, a part around the error. `start` is the offset of the first
///   byte, `line` and `column` are its place, counted from one, `error` is the offset of the error,
/// - `layers`: the layers of preferences (``InspectedPreferences``).
package struct InspectedDocument: Sendable {
  /// A label and a text, such as `format` and `XML, UTF-8`.
  package typealias Fact = (label: String, text: String)

  /// The name as people know it, such as a path.
  package let name: String
  /// The likely purpose of the document, in a few words; empty if unknown.
  package let summary: String
  /// The number of warnings.
  package private(set) var warningCount = 0
  /// Whether the document has an error.
  package private(set) var hasError = false
  /// Why the document has no values that can be shown, on one line; nil if it has.
  package var problem: String?
  /// The members of the JSON object so far, without the closing brace.
  private var json = JSONText()

  /// A document without contents.
  ///
  /// - Parameter summary: What the document seems to be, in a few words; empty if unknown.
  package init(_ kind: Kind, name: String, summary: String = "", facts: [Fact]) {
    self.name = name
    self.summary = summary
    json.open("{")
    json.key("kind")
    json.string(kind.rawValue)
    json.key("name")
    json.string(name)
    json.key("facts")
    json.open("[")
    for fact in facts { json.strings([fact.label, fact.text]) }
    json.close("]")
  }

  /// The kinds of documents.
  package enum Kind: String, Sendable {
    case file, comparison, preferences
  }

  /// The whole JSON.
  var text: [UInt8] { json.bytes + [UInt8(ascii: "}")] }

  /// The number of bytes of the JSON.
  var size: Int { json.bytes.count + 1 }

  // MARK: Contents

  /// Adds the names of the two files of a comparison.
  package mutating func add(names: [String]) {
    json.key("names")
    json.strings(names)
  }

  /// Adds the values; or an error if there are too many for a page.
  package mutating func add(_ tree: InspectedTree) {
    add(tree, as: "tree")
  }

  /// Adds the objects of a keyed archive.
  package mutating func add(graph: InspectedTree) {
    add(graph, as: "graph")
  }

  private mutating func add(_ tree: InspectedTree, as key: String) {
    guard !tree.isTooLarge else {
      if key == "tree" {
        add(
          error: "the property list is too large to be shown; "
            + "use plutil -p -at to print a part of it")
      }
      return
    }
    json.key(key)
    tree.write(to: &json)
  }

  /// Adds warnings.
  package mutating func add(_ warnings: [PlistWarning]) {
    warningCount = warnings.count
    json.key("warnings")
    json.open("[")
    for warning in warnings {
      write(warning.message, at: warning.location, warning.keyPath)
    }
    json.close("]")
  }

  /// Adds the error of a document that is not a valid property list, with its bytes.
  ///
  /// - Parameter encoding: See ``PlistReadOptions/encoding``.
  package mutating func add(
    _ error: PlistError, remedy: String = "", in data: Data, encoding: String? = nil
  ) {
    hasError = true
    json.key("error")
    write("\(error.kind)\(remedy)", at: error.location, error.keyPath)
    addSource(DocumentText(data, encoding: encoding), around: error.location)
  }

  /// Adds an error about the whole document.
  package mutating func add(error message: String) {
    hasError = true
    problem = message
    json.key("error")
    write(message, at: nil, PlistKeyPath())
  }

  private mutating func write(
    _ message: String, at location: PlistError.Location?, _ keyPath: PlistKeyPath
  ) {
    json.open("{")
    json.key("message")
    json.string(message)
    json.key("path")
    json.strings(keyPath.components)
    switch location {
    case .line(let line, let column)?:
      json.key("line")
      json.integer(line)
      json.key("column")
      json.integer(column)
    case .byte(let offset)?:
      json.key("byte")
      json.integer(offset)
    case nil: break
    }
    json.close("}")
  }

  // MARK: Bytes

  /// The number of bytes of a file that is not valid of which more are left out, far from the
  /// error.
  private static let sourceLimit = 1 << 20

  private mutating func addSource(_ text: DocumentText, around location: PlistError.Location?) {
    let error = location.map { text.offset(of: $0) }
    let range = Self.excerpt(of: text.data, around: error ?? 0)
    let part = text.data[range]
    let isText =
      text.isConverted
      || !part.contains(0) && String(decoding: part, as: UTF8.self).utf8.elementsEqual(part)
    let place = text.lineAndColumn(of: range.lowerBound)
    json.key("source")
    json.open("{")
    json.key("start")
    json.integer(range.lowerBound)
    json.key("line")
    json.integer(place.line)
    json.key("column")
    json.integer(place.column)
    if let error {
      json.key("error")
      json.integer(error)
    }
    json.key("size")
    json.integer(text.data.count)
    json.key("isText")
    json.boolean(isText)
    json.key("base64")
    json.string(part.base64EncodedString())
    json.close("}")
  }

  /// The part of a text that is shown: what is around the error, from the beginning of a line if one
  /// begins there. Characters are not divided.
  private static func excerpt(of text: Data, around error: Int) -> Range<Int> {
    var start = max(0, min(error - sourceLimit / 2, text.count - sourceLimit))
    if start > 0 {
      start = lineStart(in: text, start..<error) ?? characterStart(in: text, at: start)
    }
    let end = start + sourceLimit
    return start..<(end < text.count ? characterStart(in: text, at: end) : text.count)
  }

  /// The beginning of the first line that begins behind a byte of a range.
  private static func lineStart(in text: Data, _ range: Range<Int>) -> Int? {
    let newline = range.first {
      text[$0] == 0x0A || text[$0] == 0x0D && $0 + 1 < text.count && text[$0 + 1] != 0x0A
    }
    return newline.map { $0 + 1 }
  }

  /// The beginning of the character that has a byte, in text that is UTF-8.
  private static func characterStart(in text: Data, at offset: Int) -> Int {
    (max(0, offset - 3)...offset).last { text[$0] & 0xC0 != 0x80 } ?? offset
  }

  /// Adds the map of a binary property list: `base64`, all bytes; `offsets` and `ends` of the
  /// objects by number, -1 where they are not valid; `markers`, the bytes that tell the objects'
  /// types; `unreachable`, the numbers of objects that nothing refers to; `gaps`, pairs of the
  /// first offset and the end of bytes in no object; `table`, the offset of the offset table;
  /// `top`, the number of the top object; and the sizes `offsetSize` and `referenceSize`.
  package mutating func add(_ map: BinaryPlistMap, of data: Data) {
    json.key("bytes")
    json.open("{")
    json.key("offsets")
    json.integers(map.objects.map { $0.range?.lowerBound ?? -1 })
    json.key("ends")
    json.integers(map.objects.map { $0.range?.upperBound ?? -1 })
    json.key("markers")
    json.integers(map.objects.map { Int($0.marker ?? 0) })
    json.key("unreachable")
    json.integers(map.objects.indices.filter { !map.objects[$0].isReachable })
    json.key("gaps")
    json.open("[")
    for gap in map.gaps { json.integers([gap.lowerBound, gap.upperBound]) }
    json.close("]")
    json.key("table")
    json.integer(map.table.lowerBound)
    json.key("top")
    json.integer(map.topObject)
    json.key("offsetSize")
    json.integer(map.sizes.offset)
    json.key("referenceSize")
    json.integer(map.sizes.reference)
    json.key("base64")
    json.string(data.base64EncodedString())
    json.close("}")
  }

  /// Makes the document one with an error, which its contents tell.
  mutating func markError() {
    hasError = true
  }

  /// Adds the layers of preferences: each has `name`, `facts`, and `error` if it cannot be read.
  mutating func add(_ layers: [InspectedPreferences.Layer]) {
    json.key("layers")
    json.open("[")
    for layer in layers {
      json.open("{")
      json.key("name")
      json.string(layer.name)
      json.key("facts")
      json.open("[")
      for fact in layer.facts { json.strings([fact.label, fact.text]) }
      json.close("]")
      if let error = layer.error {
        json.key("error")
        json.string(error)
      }
      json.close("}")
    }
    json.close("]")
  }
}
