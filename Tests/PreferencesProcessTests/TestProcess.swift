import Foundation
import Preferences
import PropertyList
import TestSupport
import Testing

/// All tests that start processes. They run one after another, because each uses the whole machine.
@Suite(.serialized) enum ProcessTests {}

/// A process that runs beside the test, driven by lines of its standard input and output.
///
/// Most tests run `PreferencesTestProgram`: `TestProcess(path, "hold-lock")` opens a store of the
/// file at the path in another process and calls the function of the verb `hold-lock`. The
/// functions of the program's `Main` document the verbs: their arguments, the lines that they
/// print, and those for which they wait. A typical test starts processes, exchanges lines with
/// them, and finishes them:
///
///     let holder = try TestProcess(path, "hold-lock")
///     #expect(holder.readLine() == "held")
///     // The other process holds the lock until its input ends.
///     TestProcess.finish([holder])
final class TestProcess {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let errors = Pipe()
  private var buffer = Data()

  /// Starts the test program.
  ///
  /// - Parameters:
  ///   - arguments: The path of the store's file, the verb and its arguments.
  ///   - wrapper: A command that runs the program, such as `strace`, or assignments of environment
  ///     variables. The program and its arguments are appended.
  convenience init(_ arguments: String..., wrapper: [String] = []) throws {
    let program = BuiltProgram("PreferencesTestProgram").path
    try self.init(command: wrapper + [program] + arguments)
  }

  /// Starts another command.
  init(command: [String]) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.environment = ProcessInfo.processInfo.environment
      .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
    try process.run()
  }

  var identifier: pid_t { process.processIdentifier }

  var isRunning: Bool { process.isRunning }

  func send(_ signal: Int32) { kill(identifier, signal) }

  /// Writes a line to standard input.
  func writeLine(_ line: String) { input.fileHandleForWriting.write(Data((line + "\n").utf8)) }

  func closeInput() { try? input.fileHandleForWriting.close() }

  /// Waits for the next line of standard output; nil at its end.
  func readLine() -> String? {
    while true {
      if let end = buffer.firstIndex(of: 0x0A) {
        let line = String(decoding: buffer[..<end], as: UTF8.self)
        buffer = Data(buffer[buffer.index(after: end)...])
        return line
      }
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { return nil }
      buffer += data
    }
  }

  /// Waits for the end of standard output and returns the remaining complete lines.
  func readLines() -> [String] {
    var lines: [String] = []
    while let line = readLine() { lines.append(line) }
    return lines
  }

  /// Closes standard input and waits for the process to exit. A process that hangs is killed.
  ///
  /// - Parameter limit: After this time it counts as hanging.
  /// - Returns: The exit status, or 128 plus the number of the signal that ended the process.
  @discardableResult
  func wait(within limit: Duration = patience) -> Int32 {
    closeInput()
    if !eventually(within: limit, { !process.isRunning }) { send(SIGKILL) }
    process.waitUntilExit()
    return process.terminationReason == .exit
      ? process.terminationStatus : 128 + process.terminationStatus
  }

  /// Everything written to standard error, once the process has ended.
  func errorText() -> String {
    String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  }
}

extension TestProcess {
  /// Waits for processes to exit, and expects that each succeeds.
  static func finish(_ processes: [TestProcess], within limit: Duration = patience) {
    for process in processes {
      let status = process.wait(within: limit)
      #expect(status == 0, "\(process.errorText())")
    }
  }
}

extension TemporaryFolder {
  /// The dictionary in a property list of the folder.
  func values(_ name: String = "test.plist") throws -> PlistDictionary {
    guard case .dictionary(let values) = try Plist.read(data(name)).value else { return [:] }
    return values
  }

  /// The path of the file that most tests use.
  var file: String { path("test.plist") }
}
