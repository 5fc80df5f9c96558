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
    /// In XML and OpenStep text: the line, and the character within it, both counted from one.
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
  /// `line 4 column 12: the integer is malformed; expected decimal or 0x digits (key path a.b)`.
  public var description: String {
    Self.describe(kind.description, at: location, keyPath: keyPath)
  }

  static func describe(_ what: String, at location: Location?, keyPath: PlistKeyPath) -> String {
    let place = location.map { "\($0): " } ?? ""
    let path = keyPath.isRoot ? "" : " (key path \(keyPath.description.onOneLine))"
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

/// Something odd in a document that was read all the same.
public struct PlistWarning: Sendable, Hashable {
  /// What is odd.
  public var kind: Kind

  /// Where in the document.
  public var location: PlistError.Location?

  /// The value that the warning is about.
  public var keyPath: PlistKeyPath

  /// The oddities that readers accept.
  public enum Kind: Sendable, Hashable {
    /// A dictionary holds the key twice; the last value counts.
    case duplicateKey
    /// An XML document without the `<plist>` element around its value.
    case noPlistElement
    /// An OpenStep document that is one bare word, as any text file of one word is.
    case bareWord
  }
}

extension PlistWarning: CustomStringConvertible {
  /// One line of text, such as `line 4 column 2: the key appears twice; the last value counts`.
  public var description: String {
    let what =
      switch kind {
      case .duplicateKey: "the key appears twice; the last value counts"
      case .noPlistElement: "there is no <plist> element around the value"
      case .bareWord: "the document is only a bare word, read as a string"
      }
    return PlistError.describe(what, at: location, keyPath: keyPath)
  }
}

extension String {
  /// The text with control characters as `\u{…}` and, past 200 characters, cut, so that a key of a
  /// document cannot break out of its line of output or flood it.
  var onOneLine: String {
    var line = ""
    for (count, scalar) in unicodeScalars.enumerated() {
      if count == 200 { return line + "…" }
      if scalar.properties.generalCategory == .control || scalar == "\u{2028}"
        || scalar == "\u{2029}"
      {
        line += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        line.unicodeScalars.append(scalar)
      }
    }
    return line
  }
}
