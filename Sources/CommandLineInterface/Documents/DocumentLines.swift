package import PropertyList

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
