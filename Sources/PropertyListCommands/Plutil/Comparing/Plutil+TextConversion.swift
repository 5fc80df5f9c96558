internal import CommandLineInterface
internal import FoundationEssentials
internal import PropertyList

/// `-textconv`
extension Plutil {
  /// Prints a file as text for a comparison by lines.
  static func convertToText(_ invocation: Invocation, in session: Session) throws(UsageError) {
    let file = try InputFile.all(of: invocation)[0]
    guard let data = file.readData(in: session) else { return }
    guard let input = try? file.open(data),
      let text = text(of: input, encoding: file.options.encoding)
    else { return session.write(data) }
    let document = input.document
    let encoding = document.encodingName(in: input.contents, encoding: file.options.encoding)
    session.print("format: \(document.format.title)\(encoding.map { ", \($0)" } ?? "")\n")
    if let envelope = input.envelope { session.print("note: \(envelope)\n") }
    session.write(text)
  }

  /// A text as it is, in UTF-8, and a binary property list in XML, or in JSON if it has values that XML
  /// has no type for; nil if it is out of proportion.
  private static func text(of input: InputDocument, encoding: String?) -> Data? {
    let document = input.document
    guard document.format == .binary else {
      let text = DocumentText(input.contents, encoding: encoding).data
      let mark = Data("\u{FEFF}".utf8)
      return text.starts(with: mark) ? Data(text.dropFirst(mark.count)) : text
    }
    if let xml = try? EncodedPlist(document.value, as: .xml) { return xml.data }
    guard (try? document.value.checkExpansion()) != nil else { return nil }
    return (try? jsonText(of: TypedJSON.encode(document.value))).map { Data($0.utf8) }
  }
}
