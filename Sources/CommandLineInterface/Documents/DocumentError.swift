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
  package var description: String { description(for: "plutil") }

  /// One line of text, with an option of a tool.
  package func description(for tool: String) -> String { "\(error)\(remedy(for: tool))" }

  /// The option of a tool that may help, after a semicolon; empty if there is none.
  package func remedy(for tool: String) -> String {
    switch error.kind {
    case .malformedText: "; use \(tool) --encoding to specify its encoding"
    case .malformedBase64, .malformedDate: "; \(tool) --lenient may accept it"
    default: ""
    }
  }
}
