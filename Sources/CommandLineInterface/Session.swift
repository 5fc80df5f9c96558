internal import FileStorage
package import FoundationEssentials
internal import PropertyList

/// One run of a tool: what it prints, what it reports, and whether anything failed.
package final class Session {
  private let tool: String
  private var output: [UInt8] = []
  private var failed = false

  /// A run of the tool of this name.
  package init(tool: String) {
    self.tool = tool
  }

  /// How much output is gathered before it is written.
  private static let bufferSize = 64 << 10

  /// Prints to standard output.
  package func print(_ text: String) {
    output += text.utf8
    if output.count >= Self.bufferSize { flush() }
  }

  /// Puts bytes on standard output.
  package func put(_ data: Data) {
    flush()
    write(data, to: .standardOutput)
  }

  /// Prints an error to standard error; the exit status becomes 1.
  package func report(_ message: String, about file: String? = nil) {
    failed = true
    note("\(file ?? tool): \(message)")
  }

  /// Prints lines of an error to standard error as they are; the exit status becomes 1.
  package func fail(_ lines: [String]) {
    failed = true
    for line in lines { note(line) }
  }

  /// Prints a warning to standard error.
  package func warn(_ warning: some CustomStringConvertible, about file: String? = nil) {
    note("\(file ?? tool): warning: \(warning)")
  }

  /// Writes what is left and gives the exit status.
  package func finish() -> Int32 {
    flush()
    return failed ? 1 : 0
  }

  /// Prints a line to standard error, behind what was printed before.
  package func note(_ line: String) {
    flush()
    // Where standard error fails there is nobody left to tell.
    try? Descriptor.standardError.writeAll(Data((line.onOneLine + "\n").utf8))
  }

  private func flush() {
    guard !output.isEmpty else { return }
    let data = Data(output)
    output.removeAll(keepingCapacity: true)
    write(data, to: .standardOutput)
  }

  private func write(_ data: Data, to descriptor: Descriptor) {
    do throws(SystemError) {
      try descriptor.writeAll(data)
    } catch {
      failed = true
      note("\(tool): standard output: \(error)")
    }
  }
}
