import Foundation
import TestSupport

/// Runs of the `plutil` that was built beside the tests, as a process of its own.
enum Plutil {
  typealias Run = BuiltProgram.Run

  private static let program: BuiltProgram = {
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

  /// Runs a shell command in a folder, in which `$PLUTIL` is plutil.
  static func shell(_ command: String, in folder: TemporaryFolder) throws -> Run {
    try program.run("/bin/bash", ["-c", command], in: folder)
  }

  /// Runs plutil and gives the largest memory that it had, in bytes, too.
  ///
  /// Linux counts what a process was before it became another program, so the test process, which
  /// is large, cannot start plutil itself.
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
