import Foundation
import PropertyList
import TestSupport
import Testing

/// Runs the `PlistBuddy` that was built with the tests, as a separate process.
enum PlistBuddyProgram {
  private static let program: BuiltProgram = {
    var program = BuiltProgram("PlistBuddy")
    program.environment["PLISTBUDDY"] = program.path
    return program
  }()

  /// A dictionary with a value of each type.
  static let sample: PlistDictionary = [
    "name": "Larder", "count": 5, "ratio": 3.5, "on": true,
    "when": .date(.init(timeIntervalSinceReferenceDate: 725_760_000)),
    "raw": .data(Data("bytes".utf8)), "list": ["a", "b"], "a:b": ["c d": "deep"],
  ]

  /// Writes the sample to `f.plist`, in its order.
  static func writeSample(in folder: TemporaryFolder) throws {
    var options = PlistWriteOptions()
    options.keyOrder = .document
    let data = try Plist.write(.dictionary(sample), as: .binary, options: options)
    try folder.write(data, to: "f.plist")
  }

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

  /// Runs commands on `f.plist` with `-c` each, and expects everything that they print, and the
  /// value of the file.
  ///
  /// - Parameter value: The expected value; nil for the same bytes as before.
  static func expect(
    _ commands: [String], in folder: TemporaryFolder, output: String = "", error: String = "",
    value: PlistValue? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = try? folder.data("f.plist")
    try program.expect(
      commands.flatMap { ["-c", $0] } + ["f.plist"], in: folder, output: output, error: error,
      status: error.isEmpty ? 0 : 1, sourceLocation: sourceLocation)
    if let value {
      #expect(
        try Plist.read(folder.data("f.plist")).value == value,
        sourceLocation: sourceLocation)
    } else {
      #expect((try? folder.data("f.plist")) == before, sourceLocation: sourceLocation)
    }
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
