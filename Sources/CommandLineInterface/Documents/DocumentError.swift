package import PropertyList

/// An error of reading a document, with the option of plutil that may help.
package struct DocumentError: Error, CustomStringConvertible {
  /// The error of the reader.
  package let error: PlistError

  /// The error of a reader.
  package init(_ error: PlistError) {
    self.error = error
  }

  /// One line of text.
  package var description: String { "\(error)\(remedy)" }

  /// The option that may help, after a semicolon; empty if there is none.
  package var remedy: String {
    switch error.kind {
    case .malformedText: "; use plutil --encoding to specify its encoding"
    case .malformedBase64, .malformedDate: "; plutil --lenient may accept it"
    default: ""
    }
  }
}
