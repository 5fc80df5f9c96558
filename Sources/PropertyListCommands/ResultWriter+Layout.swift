internal import FoundationEssentials
internal import PropertyList

extension ResultWriter {
  /// The same writer for a changed document, which stays what it was: JSON in lines, or a table of
  /// strings.
  func keepingLayout(of document: PlistDocument, in data: Data) -> ResultWriter {
    var writer = self
    switch document.format {
    case .json:
      if data.dropLast().contains(UInt8(ascii: "\n")) { writer.options.indented = true }
    case .openStep:
      writer.options.stringsTable =
        document.value.kind == .dictionary && PropertyList.isStringsTable(data)
    case .xml, .binary: break
    }
    return writer
  }
}
