import Foundation

/// Prints results to standard output, and errors and progress to standard error.
enum Terminal {
  private static let showsProgress = isatty(STDERR_FILENO) == 1

  /// Replaces the line of progress, if standard error is a terminal.
  static func show(_ text: String) {
    if showsProgress { write("\r\u{1B}[K\(text)…") }
  }

  /// Clears the line of progress.
  static func clear() {
    if showsProgress { write("\r\u{1B}[K") }
  }

  /// Prints an error.
  static func report(_ message: String) {
    clear()
    write("larder-benchmark: \(message)\n")
  }

  /// Prints a line without buffering.
  static func print(_ line: String = "") {
    clear()
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }

  private static func write(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }
}
