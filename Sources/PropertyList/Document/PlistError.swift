/// Why a document could not be read or a value not be written, and where.
///
/// Its ``description`` is one line that says where, what is wrong and what was expected. It may name
/// keys and elements of the document, never its values.
public struct PlistError: Error, Sendable, Hashable {
  /// What is wrong.
  public var kind: Kind

  /// Where in the document; nil when writing, and where the whole document is meant.
  public var location: Location?

  /// The value that the error is about, as far as the reader or writer had come.
  public var keyPath: PlistKeyPath

  /// A place in a document.
  public enum Location: Sendable, Hashable {
    /// In XML, OpenStep text and JSON: the line, and the character within it, both counted from one.
    case line(Int, column: Int)
    /// In a binary property list: the offset of the byte, counted from zero.
    case byte(Int)
  }

  init(_ kind: Kind, at location: Location? = nil, keyPath: PlistKeyPath = PlistKeyPath()) {
    self.kind = kind
    self.location = location
    self.keyPath = keyPath
  }
}

extension PlistError: CustomStringConvertible {
  /// One line of text, such as
  /// `line 4 column 12: the date is malformed; expected YYYY-MM-DDTHH:MM:SSZ (key path a.b)`.
  public var description: String {
    Self.describe(kind.description, at: location, keyPath: keyPath)
  }

  static func describe(_ what: String, at location: Location?, keyPath: PlistKeyPath) -> String {
    let place = location.map { "\($0): " } ?? ""
    let path = keyPath.isRoot ? "" : " (key path \(keyPath.excerpt))"
    return place + what + path
  }
}

extension PlistError.Location: CustomStringConvertible {
  /// `line 4 column 12` or `byte 31`.
  public var description: String {
    switch self {
    case .line(let line, let column): "line \(line) column \(column)"
    case .byte(let offset): "byte \(offset)"
    }
  }
}
