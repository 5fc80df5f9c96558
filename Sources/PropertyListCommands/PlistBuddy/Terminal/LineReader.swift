internal import Glibc

/// Reads standard input line by line, never more of it than the limit of a line into memory.
struct LineReader {
  private var buffer: [UInt8] = []
  private var position = 0

  /// The next line.
  mutating func next() -> InputLine {
    var line: [UInt8] = []
    while true {
      if position == buffer.count {
        guard fill() else { return line.isEmpty ? .end : InputLine(line) }
      }
      let rest = buffer[position...]
      let end = rest.firstIndex(of: UInt8(ascii: "\n"))
      // Of a line that is too long no more is kept than shows that it is.
      line += rest[..<(end ?? rest.endIndex)].prefix(InputLine.longest + 1 - line.count)
      position = end.map { $0 + 1 } ?? rest.endIndex
      if end != nil { return InputLine(line) }
    }
  }

  /// Reads what there is; false at the end of the input.
  private mutating func fill() -> Bool {
    buffer = Array(repeating: 0, count: 64 << 10)
    position = 0
    while true {
      let count = read(STDIN_FILENO, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      buffer.removeLast(buffer.count - max(0, count))
      return count > 0
    }
  }
}
