package import PropertyList

/// An error of reading a document, with the option of plutil that may help.
package struct DocumentError: Error, CustomStringConvertible {
  private let error: PlistError

  /// The error of a reader.
  package init(_ error: PlistError) {
    self.error = error
  }

  /// One line of text.
  package var description: String {
    switch error.kind {
    case .malformedText: "\(error); use plutil --encoding to specify its encoding"
    case .malformedBase64, .malformedDate: "\(error); plutil --lenient may accept it"
    default: "\(error)"
    }
  }
}
