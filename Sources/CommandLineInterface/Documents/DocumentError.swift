package import PropertyList

/// An error of reading a document, with the option that may help.
package struct DocumentError: Error, CustomStringConvertible {
  private let error: PlistError

  /// The error of a reader.
  package init(_ error: PlistError) {
    self.error = error
  }

  /// One line of text.
  package var description: String {
    switch error.kind {
    case .malformedText: "\(error); use --encoding to name another encoding"
    case .malformedBase64, .malformedDate: "\(error); --lenient accepts more"
    default: "\(error)"
    }
  }
}
