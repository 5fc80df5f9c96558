/// The next line of input.
enum InputLine {
  /// A line, without its end.
  case line(String)
  /// A line that is rejected, with the message.
  case unusable(String)
  /// The end of the input.
  case end

  /// The maximum number of bytes in a line.
  static let maximumLength = 1 << 20

  /// The line of these bytes.
  init(_ bytes: some Sequence<UInt8>) {
    let bytes = Array(bytes.prefix(Self.maximumLength + 1))
    if bytes.count > Self.maximumLength {
      self = .unusable("Parse Error: The Line Is Longer Than \(Self.maximumLength) Bytes")
    } else if bytes.contains(0) {
      self = .unusable("Parse Error: The Line Holds A NUL Byte")
    } else if let line = String(validating: bytes, as: UTF8.self) {
      self = .line(line)
    } else {
      self = .unusable("Parse Error: The Line Is Not UTF-8")
    }
  }
}
