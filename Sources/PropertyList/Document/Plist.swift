public import FoundationEssentials

/// Reads and writes whole property lists.
public enum Plist {
  /// Reads a document.
  ///
  /// ```swift
  /// let document = try Plist.read(data)
  /// print(document.format, document.value[PlistKeyPath("CFBundleName")] ?? .null)
  /// ```
  ///
  /// - Parameters:
  ///   - data: The whole document.
  ///   - format: The format, or nil to detect it by the leading bytes.
  ///   - options: The options of reading.
  /// - Returns: The value with its format and warnings.
  /// - Throws: The first error, with its location and key path.
  public static func read(
    _ data: Data, as format: PlistFormat? = nil, options: PlistReadOptions = PlistReadOptions()
  ) throws(PlistError) -> PlistDocument {
    let format = format ?? PlistFormat(detecting: data)
    let text = try readText(data, as: format, options: options)
    return PlistDocument(
      value: text.value, format: format, warnings: text.warnings, lines: text.lines)
  }

  /// Reads a document with everything that the options request to be recorded.
  static func readText(
    _ data: Data, as format: PlistFormat, options: PlistReadOptions
  ) throws(PlistError) -> ReadText {
    try checkSize(data.count, options.limits)
    do {
      return switch format {
      case .xml: try XMLPlistReader.read(data, options: options)
      case .binary: try BinaryPlistReader.readText(data, options: options)
      case .openStep: try OpenStepReader.read(data, options: options)
      case .json: try JSONReader.read(data, options: options)
      }
    } catch {
      throw data.withUnsafeBytes { foreignContents(in: $0, as: format) } ?? error
    }
  }

  /// The error that a document which cannot be read is not a property list, or is one with the conflict
  /// of a version control system; nil if it does not look like that.
  private static func foreignContents(
    in bytes: UnsafeRawBufferPointer, as format: PlistFormat
  ) -> PlistError? {
    if let format = PlistError.ForeignFormat(detecting: bytes) {
      return PlistError(.notPropertyList(format))
    }
    guard format != .binary, let marker = conflictMarker(in: bytes) else { return nil }
    return PlistError(.conflictMarker, at: TextCursor.location(of: marker, in: bytes))
  }

  /// The position of the line that begins a conflict: `<<<<<<<`, with `=======` on a line further
  /// down.
  private static func conflictMarker(in bytes: UnsafeRawBufferPointer) -> Int? {
    func line(beginningWith mark: StaticString, from start: Int) -> Int? {
      var position = start
      while let found = bytes.firstPosition(of: mark, from: position) {
        if found == 0 || bytes[found - 1] == 0x0A || bytes[found - 1] == 0x0D { return found }
        position = found + 1
      }
      return nil
    }
    guard let start = line(beginningWith: "<<<<<<< ", from: 0) else { return nil }
    return line(beginningWith: "=======", from: start) == nil ? nil : start
  }

  /// Whether a document with these first bytes is an XML or binary property list, or an Xcode project. Other OpenStep text and
  /// JSON have no first bytes of their own.
  package static func hasSignature(_ bytes: Data) -> Bool {
    if bytes.starts(with: "bplist".utf8) { return true }
    // UTF-16 has a zero in every character of this.
    let text = String(decoding: bytes.filter { $0 != 0 }, as: UTF8.self)
    return text.contains("<!DOCTYPE plist") || text.contains("<plist")
      || text.hasPrefix("// !$*UTF8*$!")
  }

  /// Reads the property list that data in another one is; nil for other data, and for one whose shared
  /// parts are out of proportion to its size.
  package static func readNested(_ data: Data) -> PlistDocument? {
    var options = PlistReadOptions()
    options.allowsTypedValues = true
    guard hasSignature(data.prefix(1024)), let document = try? read(Data(data), options: options),
      (try? document.value.checkExpansion()) != nil
    else { return nil }
    return document
  }

  /// Whether `<!--` occurs in an XML document: in a comment or, rarely, in a CDATA section.
  package static func mayHaveComments(_ document: Data) -> Bool {
    document.withUnsafeBytes { $0.firstPosition(of: "<!--", from: 0) != nil }
  }

  /// Throws an error for an empty document and for one above the size limit.
  static func checkSize(_ size: Int, _ limits: PlistLimits) throws(PlistError) {
    guard size > 0 else { throw PlistError(.empty) }
    guard size <= limits.maximumSize else { throw PlistError(.tooLarge(limit: limits.maximumSize)) }
  }

  /// Writes a document.
  ///
  /// The output is deterministic: it depends on the value, the format and the options alone, except
  /// that containers that the value shares in memory are written once in binary. With
  /// ``PlistWriteOptions/KeyOrder/sorted`` the order of keys in dictionaries does not matter.
  ///
  /// - Throws: An error with the key path of the first value that the format cannot represent or
  ///   that exceeds a limit.
  public static func write(
    _ value: PlistValue, as format: PlistFormat, options: PlistWriteOptions = PlistWriteOptions()
  ) throws(PlistError) -> Data {
    switch format {
    case .xml: try XMLPlistWriter.write(value, options: options)
    case .binary: try BinaryPlistWriter.write(value, options: options)
    case .openStep: try OpenStepWriter.write(value, options: options)
    case .json: try JSONWriter.write(value, options: options)
    }
  }
}

/// A property list that was read, with its format and warnings.
public struct PlistDocument: Sendable, Hashable {
  /// The root value.
  public var value: PlistValue

  /// The format of the document.
  public var format: PlistFormat

  /// The oddities that the reader accepted, in document order.
  public var warnings: [PlistWarning]

  /// The lines of the values in a text format; nil unless ``PlistReadOptions/recordsLines`` is set.
  package var lines: PlistLines?
}
