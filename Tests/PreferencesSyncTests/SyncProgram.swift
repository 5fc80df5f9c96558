import Foundation
import TestSupport

/// A process of `PreferencesSyncTestProgram`, with its output by lines.
final class SyncProgram {
  private let process = Process()
  private let output = Pipe()
  private var text = Data()

  init(_ arguments: [String]) throws {
    process.executableURL = URL(
      fileURLWithPath: BuiltProgram("PreferencesSyncTestProgram").path)
    process.arguments = arguments
    process.standardOutput = output
    try process.run()
  }

  /// Reads the next whole line; returns nil at the end of the output.
  func nextLine() -> String? {
    while true {
      if let end = text.firstIndex(of: 0x0A) {
        defer { text = Data(text[text.index(after: end)...]) }
        return String(decoding: text[..<end], as: UTF8.self)
      }
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { return nil }
      text += data
    }
  }

  /// Kills the process if it still runs, and waits for its end.
  func kill() {
    if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }
}
