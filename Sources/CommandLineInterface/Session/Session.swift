internal import FileStorage
package import FoundationEssentials
internal import Glibc
internal import PropertyList

/// One run of a tool: what it prints, what it reports, and whether anything failed.
package final class Session {
  private let tool: String
  private var output: [UInt8] = []
  private var status: Int32 = 0
  private lazy var progress = Progress()

  /// Whether what is printed may have colors: it goes to a terminal, and its user has not declined
  /// them by `NO_COLOR`.
  private let hasColors: Bool

  /// A run of the tool of this name.
  package init(tool: String) {
    self.tool = tool
    let isDeclined = getenv("NO_COLOR").map { $0.pointee != 0 } ?? false
    let isPlain = getenv("TERM").map { String(cString: $0) == "dumb" } ?? true
    hasColors = !isDeclined && !isPlain && isatty(STDOUT_FILENO) == 1
  }

  /// How much output is gathered before it is written.
  private static let bufferSize = 64 << 10

  // MARK: Standard output

  /// Prints to standard output.
  package func print(_ text: String) {
    output += text.utf8
    if output.count >= Self.bufferSize { flush() }
  }

  /// Prints to standard output, on a terminal in a style.
  ///
  /// - Parameter text: A text without control characters.
  package func print(_ text: String, in style: TextStyle) {
    print(hasColors ? style.applied(to: text) : text)
  }

  /// Puts bytes on standard output.
  package func put(_ data: Data) {
    flush()
    write(data, to: .standardOutput)
  }

  // MARK: Standard error

  /// Prints an error to standard error; the exit status becomes that of failure.
  package func report(_ message: String, about file: String? = nil) {
    fail(["\(file ?? tool): \(message)"])
  }

  /// Prints lines of an error to standard error as they are; the exit status becomes that of failure.
  package func fail(_ lines: [String]) {
    status = failureStatus
    for line in lines { note(line) }
  }

  /// Prints a warning to standard error.
  package func warn(_ warning: some CustomStringConvertible, about file: String? = nil) {
    note("\(file ?? tool): warning: \(warning)")
  }

  /// Prints a line to standard error, behind what was printed before.
  package func note(_ line: String) {
    flush()
    progress?.hide()
    // Where standard error fails there is nobody left to tell.
    try? Descriptor.standardError.writeAll(Data((line.onOneLine + "\n").utf8))
  }

  /// Does something that may take long, and on a terminal says so after some seconds.
  ///
  /// - Parameters:
  ///   - activity: What is done: `reading Info.plist`.
  ///   - isWaiting: Whether it reads standard input. Where that is a terminal, its user is who is waited
  ///     for, and needs no telling.
  package func during<Result, Failure: Error>(
    _ activity: String, isWaiting: Bool = false, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if !isWaiting || isatty(STDIN_FILENO) == 0 { progress?.begin(activity.onOneLine) }
    defer { progress?.end() }
    return try body()
  }

  // MARK: The end

  /// The exit status of a run in which anything failed.
  package var failureStatus: Int32 = 1

  /// Has the run end with a status although nothing failed; a failure has its own nevertheless.
  package func end(with status: Int32) {
    if self.status == 0 { self.status = status }
  }

  /// Writes what is left and gives the exit status.
  package func finish() -> Int32 {
    flush()
    return status
  }

  private func flush() {
    guard !output.isEmpty else { return }
    let data = Data(output)
    output.removeAll(keepingCapacity: true)
    write(data, to: .standardOutput)
  }

  private func write(_ data: Data, to descriptor: Descriptor) {
    progress?.hide()
    do throws(FileSystemError) {
      try descriptor.writeAll(data)
    } catch {
      fail(["\(tool): standard output: \(error)"])
    }
  }
}
