import Foundation
import TestSupport

/// Runs the `PlistBuddy` that was built with the tests, as a separate process.
enum PlistBuddyProgram {
  static let program: BuiltProgram = {
    var program = BuiltProgram("PlistBuddy")
    program.environment["PLISTBUDDY"] = program.path
    return program
  }()

  /// Runs PlistBuddy in a folder.
  static func run(
    _ arguments: [String], in folder: TemporaryFolder, input: Data = Data()
  ) throws -> BuiltProgram.Run {
    try program.run(arguments, in: folder, input: input)
  }

  /// Runs a shell command in a folder. `$PLISTBUDDY` is PlistBuddy.
  static func shell(_ command: String, in folder: TemporaryFolder) throws -> BuiltProgram.Run {
    try program.run("/bin/bash", ["-c", command], in: folder)
  }

  /// Starts PlistBuddy at a terminal, in a folder.
  static func terminal(
    _ arguments: [String], in folder: TemporaryFolder, type: String
  ) throws -> PseudoTerminal {
    try PseudoTerminal(
      program.path, arguments, in: folder,
      environment: ["TERM": type, "HOME": folder.path, "LC_ALL": "C.UTF-8"])
  }
}

extension PseudoTerminal {
  /// Waits for the prompt and types a command.
  func enter(_ command: String) throws {
    try expect("Command: ")
    try send(command + "\r")
  }
}
