internal import Glibc

/// Reads standard input line by line, and keeps no more of a line in memory than its maximum
/// length.
struct LineReader {
  private var buffer: [UInt8] = []
  private var position = 0

  /// Reads the next line.
  mutating func next() -> InputLine {
    var line: [UInt8] = []
    while true {
      if position == buffer.count {
        guard fill() else { return line.isEmpty ? .end : InputLine(line) }
      }
      let rest = buffer[position...]
      let end = rest.firstIndex(of: UInt8(ascii: "\n"))
      // One byte too many is enough to reject the line.
      line += rest[..<(end ?? rest.endIndex)].prefix(InputLine.maximumLength + 1 - line.count)
      position = end.map { $0 + 1 } ?? rest.endIndex
      if end != nil { return InputLine(line) }
    }
  }

  /// Fills the buffer; false at the end of the input.
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
