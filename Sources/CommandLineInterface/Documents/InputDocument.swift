package import FoundationEssentials
package import PropertyList

/// A property list and its source.
package struct InputDocument: Sendable {
  package let document: PlistDocument
  package private(set) var contents: Data
  /// The format of the file that the property list is embedded in; nil if it is the whole file.
  package let envelope: PlistEnvelope?

  /// Returns the bytes and gives them up, so that they need not stay in memory.
  package mutating func takeContents() -> Data { exchange(&contents, with: Data()) }
}

/// A reason why there is no property list to work with.
package enum InputProblem: Error, CustomStringConvertible {
  case file(String)
  case document(DocumentError)

  package var description: String {
    switch self {
    case .file(let message): message
    case .document(let error): "\(error)"
    }
  }
}

extension Session {
  /// Prints the format that the property list is embedded in, to standard error.
  package func note(_ envelope: PlistEnvelope?, about file: String) {
    if let envelope { note("\(file): note: \(envelope)") }
  }
}

extension PlistDocument {
  /// Whether the document is a single bare word. Any one-word text is such a document.
  package var isBareWord: Bool { warnings.contains { $0.kind == .bareWord } }

  /// The message if such a document would be overwritten.
  package static let bareWordText = "the file is a single word, which may not be a property list"
}

extension PlistWarning {
  /// Whether the warning is about a control character. XML writers warn about these as well.
  package var isAboutCharacter: Bool { if case .controlCharacter = kind { true } else { false } }
}

/// The lines of a document in a text format.
package struct DocumentLines {
  private let document: PlistDocument?

  /// Reads the document again; only findings need lines.
  package init(of input: InputDocument, options: PlistReadOptions) {
    guard input.document.format != .binary else {
      document = nil
      return
    }
    var options = options
    options.recordsLines = true
    document = try? Plist.read(input.contents, as: input.document.format, options: options)
  }

  /// The line of a value, or of the innermost container on its path.
  package func line(at path: PlistKeyPath) -> Int? {
    guard let document, let lines = document.lines else { return nil }
    var components = path.components[...]
    while true {
      if let line = lines.line(at: components, in: document.value) { return line }
      if components.popLast() == nil { return nil }
    }
  }
}

/// An error of reading a document, with the option of plutil that may help.
package struct DocumentError: Error, CustomStringConvertible {
  package let error: PlistError

  package init(_ error: PlistError) { self.error = error }
  package var description: String { description(for: "plutil") }

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
