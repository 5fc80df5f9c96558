import Glibc

/// Log lines for the operator of the server.
enum Log {
  /// Prints a line on standard output, for a journal that adds the time.
  static func say(_ line: String) { write(line + "\n", to: STDOUT_FILENO) }

  /// Prints a text on standard error.
  static func complain(_ text: String) { write(text, to: STDERR_FILENO) }

  /// Writes in one system call, so that lines of several processes do not mix.
  private static func write(_ text: String, to descriptor: Int32) {
    var text = text
    _ = text.withUTF8 { Glibc.write(descriptor, $0.baseAddress, $0.count) }
  }
}
