public import FoundationEssentials

/// A document whose values are edited and whose text stays.
///
/// In XML, JSON and OpenStep text, including `.strings` tables, an edit replaces no more than the
/// bytes of the value that it changes: comments, the order of keys, indentation, line ends, quotes,
/// the encoding and the byte-order mark stay. A new value is written as its neighbors are. Removing
/// a value also removes its key and the comments that belong to it: comments directly above it at
/// the same indentation, and comments after it on its line.
///
/// ```swift
/// var document = try EditedPlistDocument(data)
/// try document.replace(at: PlistKeyPath("CFBundleVersion"), with: "42")
/// try document.remove(at: PlistKeyPath("CFBundleURLTypes.0"))
/// let edited = document.data
/// ```
///
/// The page <doc:EditingText> has the rules. Each edit reads the edited text again to verify its
/// value. If the text cannot be kept, the whole document is rewritten, and ``rewriteReason`` says
/// why. If a key appears more than once, the last one, whose value is used, is edited; all of them
/// are removed. Binary documents have no text to keep.
public struct EditedPlistDocument: Sendable {
  /// The value of the document.
  public private(set) var value: PlistValue

  /// The format of the document.
  public let format: PlistFormat

  /// The document.
  public private(set) var data: Data

  /// The oddities that the reader accepted, in the order of the document before the edits.
  public let warnings: [PlistWarning]

  /// The options for new values. They do not affect the layout of a text.
  public var writeOptions = PlistWriteOptions()

  /// Why the text could not be kept, so that comments and layout are lost; nil if it was kept.
  public private(set) var rewriteReason: RewriteReason?

  /// A reason why a text cannot be kept.
  public enum RewriteReason: Sendable, Hashable {
    /// The text cannot be written in its encoding, which has this name.
    case encoding(String)
    /// A strings table can only contain a dictionary, not a root of this kind.
    case table(PlistValue.Kind)
    /// The edited text would be read as another value.
    case otherValue
  }

  private var readOptions: PlistReadOptions
  /// The text; nil for a binary document.
  private var text: IndexedText?
  /// How the document is written if its text cannot be kept.
  private let layout: DocumentLayout
  private let isDetected: Bool

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - data: The whole document.
  ///   - format: The format, or nil to detect it by the leading bytes.
  ///   - options: The options of reading.
  /// - Throws: The first error, with its location and key path.
  public init(
    _ data: Data, as format: PlistFormat? = nil, options: PlistReadOptions = PlistReadOptions()
  ) throws(PlistError) {
    let detected = PlistFormat(detecting: data)
    self.format = format ?? detected
    self.data = data
    var options = options
    options.recordsIndex = true
    readOptions = options
    let read = try Plist.readText(data, as: self.format, options: options)
    (value, warnings) = (read.value, read.warnings)
    text = read.indexed?.withRoot
    isDetected = self.format == detected
    layout = DocumentLayout(
      of: PlistDocument(value: value, format: self.format, warnings: warnings), in: data,
      encoding: options.encoding)
  }

  // MARK: Edits

  /// Inserts a new value, as ``PlistValue/insert(_:at:)`` does.
  ///
  /// If the keys are sorted, a new key is inserted in order, and otherwise last.
  ///
  /// - Throws: An error that says why nothing was changed.
  public mutating func insert(_ value: PlistValue, at path: PlistKeyPath) throws(PlistEditError) {
    var edited = self.value
    try edited.insert(value, at: path)
    try keep(value, at: path, in: edited, as: ValueChange.Edit.insertion)
  }

  /// Appends a value to an array, as ``PlistValue/append(_:toArrayAt:)`` does.
  ///
  /// - Throws: An error that says why nothing was changed.
  public mutating func append(
    _ value: PlistValue, toArrayAt path: PlistKeyPath
  ) throws(PlistEditError) {
    try insert(value, at: self.value.end(ofArrayAt: path))
  }

  /// Replaces a value, or inserts it under a new key, as ``PlistValue/replace(at:with:)`` does.
  ///
  /// If a container replaces one of the same kind, only the values that differ are written.
  ///
  /// - Throws: An error that says why nothing was changed.
  public mutating func replace(
    at path: PlistKeyPath, with value: PlistValue
  ) throws(PlistEditError) {
    var edited = self.value
    try edited.replace(at: path, with: value)
    try keep(value, at: path, in: edited, as: ValueChange.Edit.replacement)
  }

  /// Removes a value and its key, as ``PlistValue/remove(at:)`` does.
  ///
  /// - Throws: An error that says why nothing was changed.
  public mutating func remove(at path: PlistKeyPath) throws(PlistEditError) {
    var edited = value
    try edited.remove(at: path)
    try apply(ValueChange(.removal, at: path, of: value), edited)
  }

  /// Makes all edits that lead to another value.
  ///
  /// - Throws: An error for the first value that the format cannot hold; then nothing was changed.
  public mutating func update(to value: PlistValue) throws(PlistEditError) {
    try update(to: value, takingTextFrom: nil)
  }

  /// Makes all edits that lead to another value.
  ///
  /// - Parameter source: A document from whose text new values are taken, with their comments, if it
  ///   has them at the same place in the same format.
  /// - Throws: An error for the first value that the format cannot hold; then nothing was changed.
  package mutating func update(
    to value: PlistValue, takingTextFrom source: EditedPlistDocument?
  ) throws(PlistEditError) {
    guard format != .binary else { return try rewrite(value, because: nil) }
    let written = try PlistEditError.wrapping { () throws(PlistError) in
      try Plist.read(write(value), as: format, options: normalReadOptions).value
    }
    try apply(ValueChange(from: self.value, to: written), written, source)
  }

  // MARK: Text

  package var comments: [String] {
    guard let text else { return [] }
    return text.index.comments.map { String(decoding: text.bytes[$0], as: UTF8.self) }
  }

  /// Applies a possible edit that puts a value at a path. Checks that the format can represent the
  /// value.
  private mutating func keep(
    _ value: PlistValue, at path: PlistKeyPath, in edited: PlistValue,
    as edit: (PlistValue) -> ValueChange.Edit
  ) throws(PlistEditError) {
    let value = try normalized(value, at: path)
    var edited = edited
    try edited.replace(at: path, with: value)
    try apply(ValueChange(edit(value), at: path, of: self.value), edited)
  }

  /// Applies a change to the text, or rewrites the document.
  private mutating func apply(
    _ change: ValueChange?, _ edited: PlistValue, _ source: EditedPlistDocument? = nil
  ) throws(PlistEditError) {
    guard let change else { return }
    guard let text else { return try rewrite(edited, because: nil) }
    let isTable = format == .openStep && text.isTable
    if isTable, edited.kind != .dictionary {
      return try rewrite(edited, because: .table(edited.kind))
    }
    let encoding = EncodedText(of: data, format, options: readOptions)
    let replacements: [TextReplacement]
    do throws(PlistError.Kind) {
      replacements = try TextEditor.replacements(
        for: change, of: value, in: text, format,
        escapesNonASCII: !isTable && text.bytes.allSatisfy { $0 < 0x80 },
        source: source?.textSource(for: text, format))
    } catch {
      return try rewrite(edited, because: .otherValue)
    }
    guard
      let data = encoding.replacing(replacements, in: text.bytes, of: data)
    else { return try rewrite(edited, because: .encoding(encoding.name)) }
    guard let read = readBack(data), read.value == edited else {
      return try rewrite(edited, because: .otherValue)
    }
    (self.data, value, self.text) = (data, read.value, read.indexed?.withRoot)
  }

  /// The document as a source of text for another document; nil if its format or line breaks
  /// differ.
  private func textSource(for other: IndexedText, _ format: PlistFormat) -> TextSource? {
    guard format == self.format, let text, text.isTable == other.isTable,
      text.lineBreak(before: 0) == other.lineBreak(before: 0)
    else { return nil }
    return TextSource(text, value, format)
  }

  /// Reads edited text; nil if it is no longer a document of the format.
  private func readBack(_ data: Data) -> ReadText? {
    guard let read = try? Plist.readText(data, as: format, options: readOptions) else { return nil }
    // {} means the same in JSON and in OpenStep text, and only containers can be recognized as
    // JSON.
    let isSame =
      !isDetected || PlistFormat(detecting: data) == format || read.value == [:]
      || read.value.kind != .dictionary && read.value.kind != .array
    return isSame ? read : nil
  }

  private mutating func rewrite(
    _ edited: PlistValue, because reason: RewriteReason?
  ) throws(PlistEditError) {
    let (data, read) = try PlistEditError.wrapping { () throws(PlistError) in
      let data = try write(edited)
      return (data, try Plist.readText(data, as: format, options: normalReadOptions))
    }
    (self.data, value, text) = (data, read.value, read.indexed?.withRoot)
    rewriteReason = rewriteReason ?? reason
    readOptions.encoding = nil
  }

  private func write(_ value: PlistValue) throws(PlistError) -> Data {
    var options = writeOptions
    options.keep(layout, for: value)
    return try Plist.write(value, as: format, options: options)
  }

  /// Returns the value that is read back after a value is written in the format.
  private func normalized(
    _ value: PlistValue, at path: PlistKeyPath
  ) throws(PlistEditError) -> PlistValue {
    guard format != .binary else { return value }
    var options = writeOptions
    if layout.hasTypedValues { options.writesTypedValues = true }
    do throws(PlistError) {
      let data = try Plist.write([value], as: format, options: options)
      let read = try Plist.read(data, as: format, options: normalReadOptions).value
      guard case .array(let elements) = read, let element = elements.first else { return value }
      return element
    } catch {
      let inner = error.keyPath.components.dropFirst()
      throw PlistEditError(
        .unwritable(error.kind), at: PlistKeyPath(components: path.components + inner))
    }
  }

  private var normalReadOptions: PlistReadOptions {
    var options = readOptions
    options.allowsTypedValues = true
    options.encoding = nil
    return options
  }
}

extension EditedPlistDocument.RewriteReason: CustomStringConvertible {
  /// One line of text, such as `the text cannot be written in Shift_JIS`.
  public var description: String {
    switch self {
    case .encoding(let name): "the text cannot be written in \(name.excerpt)"
    case .table(let kind): "a strings table cannot be \(kind.withArticle)"
    case .otherValue: "the edited text would be read as another value"
    }
  }
}

extension PlistEditError {
  fileprivate static func wrapping<Result>(
    _ body: () throws(PlistError) -> Result
  ) throws(PlistEditError) -> Result {
    do throws(PlistError) {
      return try body()
    } catch {
      throw PlistEditError(.unwritable(error.kind), at: error.keyPath)
    }
  }
}

/// The encoding of a document. Edited text is encoded in it again.
private struct EncodedText {
  private let format: PlistFormat
  private let encoding: TextEncoding
  private let mark: Data

  init(of data: Data, _ format: PlistFormat, options: PlistReadOptions) {
    let known = data.withUnsafeBytes { bytes -> (encoding: TextEncoding, length: Int) in
      if format == .xml, let encoding = try? XMLEncoding(of: bytes) {
        return (encoding.encoding, encoding.markLength)
      }
      return TextEncoding.mark(of: bytes) ?? (.utf8, 0)
    }
    self.format = format
    mark = data.prefix(known.length)
    let name = format == .openStep && mark.isEmpty ? options.encoding : nil
    encoding = name.map(TextEncoding.named) ?? known.encoding
  }

  var name: String { encoding.name }

  /// Makes replacements, in order, in a document with this text. Characters that the encoding lacks
  /// are escaped. Returns nil if the unchanged parts cannot be encoded in the same way, or if new
  /// parts cannot be encoded.
  func replacing(_ replacements: [TextReplacement], in text: [UInt8], of data: Data) -> Data? {
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
    encoding.encode(text).map { Data($0) }
  }

  /// Returns text with escapes for the characters that the encoding lacks. Only strings can contain
  /// such characters.
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
