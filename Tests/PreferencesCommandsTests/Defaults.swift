import Foundation
import PropertyList
import TestSupport
import Testing

/// Runs of the `defaults` that was built beside the tests, in a folder that holds all its domains.
struct Defaults {
  let folder: TemporaryFolder
  private let program: BuiltProgram

  init() throws {
    folder = try TemporaryFolder()
    var program = BuiltProgram("defaults")
    program.environment = [
      "DEFAULTS": program.path, "HOME": folder.path, "XDG_CONFIG_HOME": folder.path("user"),
      "XDG_CONFIG_DIRS": folder.path("system"),
    ]
    self.program = program
    for name in ["user/ByHost", "system"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(name), withIntermediateDirectories: true)
    }
  }

  /// Runs defaults with these words.
  func run(_ words: [String], input: String = "") throws -> BuiltProgram.Run {
    try program.run(words, in: folder, input: Data(input.utf8))
  }

  /// Runs a shell command, in which `$DEFAULTS` is defaults.
  func shell(_ command: String) throws -> BuiltProgram.Run {
    try program.run("/bin/bash", ["-c", command], in: folder)
  }

  /// Runs defaults and expects all of what it prints.
  func expect(
    _ words: [String], input: String, output: String, error: String, status: Int32,
    sourceLocation: SourceLocation
  ) throws {
    let run = try run(words, input: input)
    #expect(run.text == output, sourceLocation: sourceLocation)
    #expect(run.error == error, sourceLocation: sourceLocation)
    #expect(run.status == status, sourceLocation: sourceLocation)
  }

  /// The property list in a file of the folder.
  func value(of name: String) throws -> PlistValue {
    try Plist.read(folder.data(name)).value
  }
}
