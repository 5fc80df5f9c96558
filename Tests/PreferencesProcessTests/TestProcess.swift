import Foundation
import Preferences
import PropertyList
import TestSupport
import Testing

/// All tests with processes, one after another: each uses what the machine has.
@Suite(.serialized) enum ProcessTests {
  /// What the counts of short runs are multiplied by.
  static let scale = ProcessInfo.processInfo.environment["LARDER_SOAK"].flatMap(Int.init) ?? 1
}

/// A run of the test program that goes on beside the test.
final class TestProcess {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let errors = Pipe()
  private var buffer = Data()

  /// How long a process may take that has ended or answered long before, unless it hangs.
  private static let hangLimit = 120.0

  /// Starts the program, or another one that gets its path and arguments as its last arguments.
  ///
  /// - Parameter isAlone: Whether the other one does not run the program, and gets arguments alone.
  init(_ arguments: String..., wrapper: [String] = [], isAlone: Bool = false) throws {
    let program = isAlone ? [] : [BuiltProgram("PreferencesTestProgram").path]
    let words = wrapper + program + arguments
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
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

  func write(_ line: String) { input.fileHandleForWriting.write(Data((line + "\n").utf8)) }

  func closeInput() { try? input.fileHandleForWriting.close() }

  /// The next line of output; nil at its end.
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

  /// The rest of the output in lines. A last one that is not complete does not count.
  func readLines() -> [String] {
    var lines: [String] = []
    while let line = readLine() { lines.append(line) }
    return lines
  }

  /// Waits for the end and gives the status, or 128 and the signal; a hanging process is killed.
  @discardableResult
  func wait() -> Int32 {
    closeInput()
    let deadline = Date().addingTimeInterval(Self.hangLimit)
    while process.isRunning, Date() < deadline { usleep(2000) }
    if process.isRunning {
      Issue.record("a process hangs")
      send(SIGKILL)
    }
    process.waitUntilExit()
    return process.terminationReason == .exit
      ? process.terminationStatus : 128 + process.terminationStatus
  }

  /// What was written to standard error, once the process has ended.
  func errorText() -> String {
    String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  }
}

extension TestProcess {
  /// Waits for processes, which must all have done what they should.
  static func finish(_ processes: [TestProcess]) {
    for process in processes {
      let status = process.wait()
      #expect(status == 0, "\(process.errorText())")
    }
  }
}

extension TemporaryFolder {
  /// The dictionary that a file of the folder holds.
  func values(_ name: String = "test.plist") throws -> PlistDictionary {
    guard case .dictionary(let values) = try Plist.read(data(name)).value else { return [:] }
    return values
  }

  /// The names of the files in a folder of the folder.
  func names(_ name: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path(name)).sorted()
  }

  /// The path of the file that most tests use.
  var file: String { path("test.plist") }
}
