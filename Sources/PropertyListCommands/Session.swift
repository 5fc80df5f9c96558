internal import FileStorage
internal import FoundationEssentials
internal import PropertyList

/// One run of a tool: what it prints, what it reports, and whether anything failed.
final class Session {
  private let tool: String
  private var output: [UInt8] = []
  private var failed = false

  init(tool: String) {
    self.tool = tool
  }

  /// How much output is gathered before it is written.
  private static let bufferSize = 64 << 10

  /// Prints to standard output.
  func print(_ text: String) {
    output += text.utf8
    if output.count >= Self.bufferSize { flush() }
  }

  /// Puts bytes on standard output.
  func put(_ data: Data) {
    flush()
    write(data, to: .standardOutput)
  }

  /// Prints an error to standard error; the exit status becomes 1.
  func report(_ message: String, about file: String? = nil) {
    failed = true
    note("\(file ?? tool): \(message)")
  }

  /// Prints a warning to standard error.
  func warn(_ warning: PlistWarning, about file: String) {
    note("\(file): warning: \(warning)")
  }

  /// Prints a warning of this text to standard error.
  func warn(_ message: String, about file: String) {
    note("\(file): warning: \(message)")
  }

  /// Writes what is left and gives the exit status.
  func finish() -> Int32 {
    flush()
    return failed ? 1 : 0
  }

  /// A line on standard error, behind what was printed before.
  private func note(_ line: String) {
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
