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
  package mutating func takeContents() -> Data {
    exchange(&contents, with: Data())
  }
}

/// A reason why there is no property list to work with.
package enum InputProblem: Error, CustomStringConvertible {
  /// The file cannot be read.
  case file(String)
  /// The file is not a valid property list.
  case document(DocumentError)

  /// One line of text.
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
