import Foundation
import TestSupport
import Testing

/// Runs the `plutil` that was built with the tests, as a separate process.
enum Plutil {
  typealias Run = BuiltProgram.Run

  static let program: BuiltProgram = {
    var program = BuiltProgram("plutil")
    program.environment["PLUTIL"] = program.path
    return program
  }()

  /// Runs plutil in a folder.
  static func run(_ arguments: [String], in folder: TemporaryFolder, input: Data = Data()) throws
    -> Run
  {
    try program.run(arguments, in: folder, input: input)
  }

  /// Runs a shell command in a folder. `$PLUTIL` is plutil.
  static func shell(_ command: String, in folder: TemporaryFolder) throws -> Run {
    try program.run("/bin/bash", ["-c", command], in: folder)
  }

  /// Applies lines in a file to a document with `-patch` or `-set`, and expects the result; nil for the
  /// same document.
  static func expect(
    _ verb: String, _ lines: String, in name: String, on document: String, makes result: String?,
    error: String,
    status: Int32, in folder: TemporaryFolder, sourceLocation: SourceLocation
  ) throws {
    try folder.write(document, to: "f")
    try folder.write(lines + "\n", to: name)
    try run([verb, name, "f"], in: folder)
      .expect(error: error, status: status, sourceLocation: sourceLocation)
    #expect(try folder.text("f") == result ?? document, sourceLocation: sourceLocation)
  }

  /// Runs plutil and measures its peak memory in bytes.
  ///
  /// Linux includes the memory of a process before `exec`, so the test process, which is large,
  /// cannot start plutil itself.
  static func measure(
    _ arguments: [String], in folder: TemporaryFolder
  ) throws -> (run: Run, peakMemory: Int) {
    let script = """
      import os, sys
      process = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ)
      _, status, usage = os.wait4(process, 0)
      open(sys.argv[1], "w").write(str(usage.ru_maxrss * 1024))
      code = os.waitstatus_to_exitcode(status)
      sys.exit(code if code >= 0 else 128 - code)
      """
    let streams = try TemporaryFolder()
    let run = try program.run(
      "/usr/bin/env", ["python3", "-c", script, streams.path("memory"), program.path] + arguments,
      in: folder)
    return (run, Int(try streams.text("memory")) ?? .max)
  }
}
