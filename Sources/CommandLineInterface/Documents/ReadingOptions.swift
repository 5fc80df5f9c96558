package import PropertyList

/// The options for reading documents that tools share.
package enum ReadingOptions {
  /// Reads documents with defects that are otherwise refused.
  package static let lenient = CommandLineTool.Option(
    "--lenient",
    summary: "Accept, with a warning, data that is not valid base64, dates with fractions of a "
      + "second or an offset from UTC, and edits to files of a single word")
  /// Reads OpenStep text in another encoding.
  package static let encoding = CommandLineTool.Option(
    "--encoding", argument: "name",
    summary: "The encoding of OpenStep files that are not UTF-8 and have no byte-order mark, "
      + "such as MACINTOSH or SHIFT_JIS; iconv -l lists all")

  /// The options, for the table of a tool.
  package static let all = [lenient, encoding]
}

extension PlistReadOptions {
  /// The options tools use to read documents from any source.
  package static let forTools: PlistReadOptions = {
    var options = PlistReadOptions()
    options.allowsTypedValues = true
    return options
  }()

  /// Whether documents with defects are accepted that are otherwise refused.
  package var isLenient: Bool {
    get { allowsLenientDates && allowsMalformedBase64 }
    set { (allowsLenientDates, allowsMalformedBase64) = (newValue, newValue) }
  }

  /// The options of a command line.
  package init(of invocation: Invocation) {
    self = .forTools
    isLenient = invocation.has(ReadingOptions.lenient)
    encoding = invocation.argument(of: ReadingOptions.encoding)
  }
}
