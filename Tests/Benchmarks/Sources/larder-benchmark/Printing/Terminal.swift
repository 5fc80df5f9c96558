import Foundation

/// Standard error: what goes wrong and, where somebody is watching, how far things are.
enum Terminal {
  private static let isWatched = isatty(STDERR_FILENO) == 1

  /// Says what is being done, in the place of what was said before.
  static func show(_ text: String) {
    if isWatched { write("\r\u{1B}[K\(text)…") }
  }

  /// Takes away what was said.
  static func clear() {
    if isWatched { write("\r\u{1B}[K") }
  }

  /// Says what is wrong.
  static func report(_ message: String) {
    clear()
    write("larder-benchmark: \(message)\n")
  }

  /// Prints a line that has to be seen before the process goes on.
  static func print(_ line: String = "") {
    clear()
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }

  private static func write(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }
}
