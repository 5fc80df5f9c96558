/// What the next line of input is.
enum InputLine {
  /// A line, without its end.
  case line(String)
  /// One that cannot be used, and why.
  case unusable(String)
  /// None, the input being over.
  case end

  /// How many bytes a line may have.
  static let longest = 1 << 20

  /// The line of these bytes.
  init(_ bytes: some Sequence<UInt8>) {
    let bytes = Array(bytes.prefix(Self.longest + 1))
    if bytes.count > Self.longest {
      self = .unusable("Parse Error: The Line Is Longer Than \(Self.longest) Bytes")
    } else if bytes.contains(0) {
      self = .unusable("Parse Error: The Line Holds A NUL Byte")
    } else if let line = String(validating: bytes, as: UTF8.self) {
      self = .line(line)
    } else {
      self = .unusable("Parse Error: The Line Is Not UTF-8")
    }
  }
}
