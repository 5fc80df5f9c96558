package import FoundationEssentials
package import PropertyList

/// A property list with what it was read from.
package struct InputDocument: Sendable {
  package let document: PlistDocument
  /// The bytes of the property list.
  package private(set) var contents: Data
  /// The format of the file that the property list is embedded in; nil for a file of its own.
  package let envelope: PlistEnvelope?

  /// Returns the bytes and gives them up, so that they need not stay in memory.
  package mutating func takeContents() -> Data { exchange(&contents, with: Data()) }
}

/// A reason why there is no property list to work with.
package enum InputProblem: Error, CustomStringConvertible {
  /// The file cannot be read.
  case file(String)
  /// The file is not a valid property list.
  case document(DocumentError)

  package var description: String {
    switch self {
    case .file(let message): message
    case .document(let error): "\(error)"
    }
  }
}

extension Session {
  /// Prints what a property list was found in, to standard error.
  package func note(_ envelope: PlistEnvelope?, about file: String) {
    if let envelope { note("\(file): note: \(envelope)") }
  }
}

/// An error of reading a document, with the option of plutil that may help.
package struct DocumentError: Error, CustomStringConvertible {
  /// The error of the reader.
  package let error: PlistError

  package init(_ error: PlistError) { self.error = error }
  package var description: String { description(for: "plutil") }

  /// One line of text, with an option of a tool.
  package func description(for tool: String) -> String { "\(error)\(remedy(for: tool))" }

  /// The option that may help, as the end of an error; empty without one.
  package func remedy(for tool: String) -> String {
    switch error.kind {
    case .malformedText: "; use \(tool) --encoding to specify its encoding"
    case .malformedBase64, .malformedDate: "; \(tool) --lenient may accept it"
    default: ""
    }
  }
}

extension PlistDocument {
  /// Whether the document is a single bare word. Any one-word text is such a document.
  package var isBareWord: Bool { warnings.contains { $0.kind == .bareWord } }

  /// The message about such a document where it would be overwritten.
  package static let bareWordText = "the file is a single word, which may not be a property list"
}

extension PlistWarning {
  /// Whether the warning is about a control character. XML writers warn about these as well.
  package var isAboutCharacter: Bool { if case .controlCharacter = kind { true } else { false } }
}
