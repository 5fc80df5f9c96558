/// How values and keys are written, as others in the document are.
struct EntryStyle {
  /// The text between a key and its value.
  enum KeySeparator {
    case sameLine([UInt8])
    /// A line break, and the indentation of the key with some more.
    case ownLine(extra: [UInt8])
  }

  /// How strings of OpenStep text are quoted.
  enum Quoting {
    case asNeeded
    case double
    case single
  }

  var lineBreak: [UInt8]
  /// What a level of nesting adds to the indentation.
  var indentation: [UInt8]
  /// Whether a container is written on one line.
  var isInline = false
  /// The blanks between values on one line.
  var gap: [UInt8] = []
  /// The blanks within the brackets of a dictionary on one line; nil for the gap in OpenStep text, and
  /// none in other formats.
  var padding: (start: [UInt8], end: [UInt8])?
  var keySeparator: KeySeparator
  var keyQuoting = Quoting.asNeeded
  var stringQuoting = Quoting.asNeeded
  /// Whether a `,` follows the last element of an array.
  var endsWithComma = false
  /// Whether OpenStep text escapes characters beyond ASCII.
  var escapesNonASCII = false
  /// Whether JSON escapes `/`.
  var escapesSlash = true
}
