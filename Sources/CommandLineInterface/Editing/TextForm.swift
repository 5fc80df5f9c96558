package import FoundationEssentials
package import PropertyList

/// The form in which a person edits a property list as text.
///
/// The text in an editor may begin with a notice: lines that are comments with a mark. Reading removes
/// them, so that they need not be valid in the format.
package struct TextForm: Sendable {
  /// The format of the text, which is not binary.
  package let format: PlistFormat
  /// Whether the text distinguishes all types of values.
  let keepsTypes: Bool
  private let options: PlistReadOptions

  package static let names = PlistFormat.allCases.filter { $0 != .binary }.map(\.commandLineName)

  package init(named name: String) throws(UsageError) {
    guard Self.names.contains(name), let format = PlistFormat(commandLineName: name) else {
      throw UsageError(unknown: "form", name, expected: Self.names)
    }
    self.init(format)
  }

  /// The form for a format.
  ///
  /// - Parameters:
  ///   - isTyped: Whether the text keeps the types that the format lacks, in JSON as ``TypedJSON``
  ///     does.
  ///   - options: The options for reading the text.
  package init(
    _ format: PlistFormat, isTyped: Bool = true, options: PlistReadOptions = .forTools
  ) {
    self.format = format
    keepsTypes = isTyped || format == .xml
    self.options = options
  }

  private var isTypedJSON: Bool { keepsTypes && format == .json }

  /// Lets editors recognize the form.
  package var fileExtension: String { format == .json ? "json" : "plist" }

  /// Writes a value.
  ///
  /// Fractions of seconds may be lost; see ``ValueEdit``.
  ///
  /// - Throws: An error for a value that the form cannot hold.
  package func text(of value: PlistValue) throws(PlistError) -> Data {
    var options = PlistWriteOptions()
    options.endsLine = true
    options.writesTypedValues = true
    if format == .json { options.printPretty() }
    let written = isTypedJSON ? TypedJSON.encode(value) : value
    return try EncodedPlist(written, as: format, options: options).data
  }

  /// Reads a text with the lines of its values; nil for a malformed one.
  func document(of text: Data) -> PlistDocument? {
    var options = options
    options.recordsLines = true
    return try? Plist.read(text, as: format, options: options)
  }

  /// Reads a text without a notice.
  ///
  /// - Throws: A `PlistError`, or another error if the text is ambiguous.
  package func value(of text: Data) throws -> PlistValue {
    let document = try Plist.read(text, as: format, options: options)
    if let warning = document.warnings.first(where: { $0.kind == .duplicateKey }) {
      throw RepeatedKey(location: warning.location, keyPath: warning.keyPath)
    }
    return isTypedJSON ? try TypedJSON.decode(document.value) : document.value
  }

  // MARK: Notices

  /// The beginning and the end of the lines of a notice.
  private var mark: (start: String, end: String) {
    format == .xml ? ("<!--#", " -->") : ("//#", "")
  }

  /// Whether a line without indentation must belong to a notice: JSON has neither comments nor strings that
  /// span lines.
  func isNoticeAnywhere(_ line: Data) -> Bool {
    format == .json && line.starts(with: mark.start.utf8)
  }

  package func text(_ text: Data, below notice: [String]) -> Data {
    notice.reduce(into: Data()) { $0 += self.notice($1) + [UInt8(ascii: "\n")] } + text
  }

  /// A line as a comment with the mark, without a line end.
  func notice(_ line: String) -> Data {
    // A comment of XML ends at two dashes.
    let content = format == .xml ? line.replacing("--", with: "- -") : line
    return Data("\(mark.start) \(content.onOneLine)\(mark.end)".utf8)
  }

  /// Removes what a person has left of the notice above a text.
  package func withoutNotice(_ text: Data, ofLines count: Int) -> Data {
    var rest = text
    for _ in 0..<count where rest.starts(with: mark.start.utf8) {
      rest = rest.drop { $0 != UInt8(ascii: "\n") }.dropFirst()
    }
    return Data(rest)
  }
}

/// The error of a text that has a key twice, so that one of the values would be lost.
package struct RepeatedKey: Error, CustomStringConvertible {
  var location: PlistError.Location?
  let keyPath: PlistKeyPath

  package var description: String {
    let place = location.map { "\($0): " } ?? ""
    return "\(place)the key appears more than once (key path \(keyPath.excerpt))"
  }
}
