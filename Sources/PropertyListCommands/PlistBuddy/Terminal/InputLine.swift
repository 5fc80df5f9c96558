/// The next line of input.
enum InputLine {
  /// A line, without its end.
  case line(String)
  /// A line that is rejected.
  case unusable(PrintedFailure)
  /// The end of the input.
  case end

  /// The maximum number of bytes in a line.
  static let maximumLength = 1 << 20

  /// The line of these bytes.
  init(_ bytes: some Sequence<UInt8>) {
    let bytes = Array(bytes.prefix(Self.maximumLength + 1))
    if bytes.count > Self.maximumLength {
      self = .unusable(
        .syntax(
          "Parse Error: Line Too Long", "a line may be at most \(Self.maximumLength) bytes long"))
    } else if bytes.contains(0) {
      self = .unusable(.syntax("Parse Error: Invalid Text", "the line contains a NUL byte"))
    } else if let line = String(validating: bytes, as: UTF8.self) {
      self = .line(line)
    } else {
      self = .unusable(.syntax("Parse Error: Invalid Text", "the line is not UTF-8"))
    }
  }
}
