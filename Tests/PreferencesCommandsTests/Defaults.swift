import Foundation
import PropertyList
import TestSupport
import Testing

/// Runs the `defaults` that was built with the tests, with all domains in a temporary folder.
struct Defaults {
  let folder: TemporaryFolder
  private let program: BuiltProgram

  init() throws {
    folder = try TemporaryFolder()
    var program = BuiltProgram("defaults")
    program.environment = [
      "DEFAULTS": program.path, "HOME": folder.path, "XDG_CONFIG_HOME": folder.path("user"),
      "XDG_CONFIG_DIRS": folder.path("system"), "XDG_DATA_HOME": folder.path("data"),
      "XDG_DATA_DIRS": folder.path("shared"),
    ]
    self.program = program
    try folder.makeFolder("user/ByHost", "system")
  }

  /// Runs defaults.
  func run(_ words: [String], input: String = "") throws -> BuiltProgram.Run {
    try program.run(words, in: folder, input: Data(input.utf8))
  }

  /// Runs a shell command. `$DEFAULTS` is defaults.
  func shell(_ command: String) throws -> BuiltProgram.Run {
    try program.run("/bin/bash", ["-c", command], in: folder)
  }

  /// Runs defaults, and expects everything that it prints.
  func expect(
    _ words: String..., input: String = "", output: String = "", error: String = "",
    status: Int32 = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try expect(
      words: words, input: input, output: output, error: error, status: status,
      sourceLocation: sourceLocation)
  }

  /// Runs defaults with a list of words, and expects everything that it prints.
  func expect(
    words: [String], input: String = "", output: String = "", error: String = "",
    status: Int32 = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try program.expect(
      words, in: folder, input: input, output: output, error: error, status: status,
      sourceLocation: sourceLocation)
  }

  /// The property list in a file of the folder.
  func value(of name: String) throws -> PlistValue {
    try Plist.read(folder.data(name)).value
  }
}
