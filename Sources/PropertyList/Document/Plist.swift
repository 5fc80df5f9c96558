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
      throw data.withUnsafeBytes { PlistError(foreignContents: $0, as: format) } ?? error
    }
  }

  /// Whether a document with these first bytes is an XML or binary property list, or an Xcode
  /// project. Other OpenStep text and JSON have no characteristic first bytes.
  package static func hasSignature(_ bytes: Data) -> Bool {
    if bytes.starts(with: "bplist".utf8) { return true }
    // In UTF-16, every character of these signatures contains a zero byte.
    let text = String(decoding: bytes.filter { $0 != 0 }, as: UTF8.self)
    return text.contains("<!DOCTYPE plist") || text.contains("<plist")
      || text.hasPrefix("// !$*UTF8*$!")
  }

  /// Reads data in a property list that is itself a property list; nil for other data, and if its
  /// shared parts expand too far.
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

  static func checkSize(_ size: Int, _ limits: PlistLimits) throws(PlistError) {
    guard size > 0 else { throw PlistError(.empty) }
    guard size <= limits.maximumSize else { throw PlistError(.tooLarge(limit: limits.maximumSize)) }
  }

  /// Writes a document.
  ///
  /// The output is deterministic: it depends only on the value, the format and the options, except
  /// that in binary, containers that the value shares in memory are written once. With
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
