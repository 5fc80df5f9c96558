/// An error of reading a document or writing a value.
///
/// Its ``description`` is one line with the location, the problem and what was expected. It may
/// contain keys and element names of the document, but never its values.
public struct PlistError: Error, Sendable, Hashable {
  /// The kind of error.
  public var kind: Kind

  /// The location in the document; nil when writing, and for errors about the whole document.
  public var location: Location?

  /// The path of the value that was being read or written.
  public var keyPath: PlistKeyPath

  /// A location in a document.
  public enum Location: Sendable, Hashable {
    /// The line and the character within it, both counted from one, in XML, OpenStep text and JSON.
    case line(Int, column: Int)
    /// The offset of a byte, counted from zero, in a binary property list.
    case byte(Int)
  }

  /// An error of a kind, and where it is.
  package init(_ kind: Kind, at location: Location? = nil, keyPath: PlistKeyPath = PlistKeyPath()) {
    self.kind = kind
    self.location = location
    self.keyPath = keyPath
  }
}

extension PlistError: CustomStringConvertible {
  /// The error on one line, such as
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
