package import FoundationEssentials
package import PropertyList

/// A form of a property list that a person edits as text.
///
/// The text in an editor may begin with a notice: lines that are comments with a mark. Reading removes
/// them, so that they need not be valid in the format.
package struct TextForm: Sendable {
  /// The format of the text, which is not binary.
  package let format: PlistFormat
  /// Whether the text distinguishes all types of values.
  let keepsTypes: Bool
  private let options: PlistReadOptions

  /// The names of the forms on a command line.
  package static let names = PlistFormat.allCases.filter { $0 != .binary }.map(\.commandLineName)

  /// The form of a name.
  package init(named name: String) throws(UsageError) {
    guard Self.names.contains(name), let format = PlistFormat(commandLineName: name) else {
      throw UsageError(unknown: "form", name, expected: Self.names)
    }
    self.init(format)
  }

  /// A form of a format.
  ///
  /// - Parameters:
  ///   - isTyped: Whether the text keeps the types of other values, in JSON as ``TypedJSON`` does.
  ///   - options: The options for reading the text.
  package init(
    _ format: PlistFormat, isTyped: Bool = true, options: PlistReadOptions = .forTools
  ) {
    self.format = format
    keepsTypes = isTyped || format == .xml
    self.options = options
  }

  private var isTypedJSON: Bool { keepsTypes && format == .json }

  /// The extension by which editors recognize the form.
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
  /// - Throws: A `PlistError`, or another error for a text that may not mean what it says.
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

  /// Puts a notice above a text.
  package func text(_ text: Data, below notice: [String]) -> Data {
    notice.reduce(into: Data()) { $0 += self.notice($1) + [UInt8(ascii: "\n")] } + text
  }

  /// A line as a comment with the mark, without the end of the line.
  func notice(_ line: String) -> Data {
    // A comment of XML ends at two dashes.
    let content = format == .xml ? line.replacing("--", with: "- -") : line
    return Data("\(mark.start) \(content.onOneLine)\(mark.end)".utf8)
  }

  /// Removes the lines that a person has left of a notice above a text.
  ///
  /// - Parameter count: The number of lines of the notice.
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

  /// One line of text.
  package var description: String {
    let place = location.map { "\($0): " } ?? ""
    return "\(place)the key appears more than once (key path \(keyPath.excerpt))"
  }
}
