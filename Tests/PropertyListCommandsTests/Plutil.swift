import Foundation

/// Runs of the `plutil` that was built beside the tests, as a process of its own.
enum Plutil {
  /// What a run left behind.
  struct Run {
    var status: Int32
    var output: Data
    var error: String
    var seconds: Double

    var text: String { String(decoding: output, as: UTF8.self) }
  }

  /// Whether a process ended by a signal, and by which.
  static func signal(_ status: Int32) -> Int32 { status & 0x7F }

  static let path =
    URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    .appendingPathComponent("plutil").path

  /// Runs plutil in a folder.
  static func run(_ arguments: [String], in folder: TemporaryFolder, input: Data = Data()) throws
    -> Run
  {
    try run(path, arguments, in: folder, input: input)
  }

  /// Runs a shell command in a folder, in which `$PLUTIL` is plutil.
  static func shell(_ command: String, in folder: TemporaryFolder) throws -> Run {
    try run("/bin/bash", ["-c", command], in: folder, input: Data())
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
    let run = try run(
      "/usr/bin/env", ["python3", "-c", script, streams.path("memory"), path] + arguments,
      in: folder, input: Data())
    return (run, Int(try streams.text("memory")) ?? .max)
  }

  private static func run(
    _ program: String, _ arguments: [String], in folder: TemporaryFolder, input: Data
  ) throws -> Run {
    let streams = try TemporaryFolder()
    let names = ["input", "output", "error"].map(streams.path)
    try input.write(to: URL(fileURLWithPath: names[0]))

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, names[0], O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, names[1], O_WRONLY | O_CREAT, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, names[2], O_WRONLY | O_CREAT, 0o600)

    var environment = ProcessInfo.processInfo.environment
    environment["PLUTIL"] = path
    // The shell is only there to change the folder; it becomes the program.
    let shell = ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", folder.path, program]
    let words = (shell + arguments).map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for pointer in words + variables { free(pointer) } }

    let start = Date()
    var process = pid_t()
    let failure = posix_spawn(&process, shell[0], &actions, nil, words, variables)
    guard failure == 0 else { throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .EIO) }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {}

    return Run(
      status: signal(status) == 0 ? status >> 8 : 128 + signal(status),
      output: try Data(contentsOf: URL(fileURLWithPath: names[1])),
      error: String(
        decoding: try Data(contentsOf: URL(fileURLWithPath: names[2])), as: UTF8.self),
      seconds: Date().timeIntervalSince(start))
  }
}

/// A folder that is removed with its last reference.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "larder-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  func path(_ name: String) -> String { path + "/" + name }

  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path(name)))
  }

  func write(_ data: Data, to name: String) throws {
    try data.write(to: URL(fileURLWithPath: path(name)))
  }

  func data(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path(name)))
  }

  func text(_ name: String) throws -> String {
    String(decoding: try data(name), as: UTF8.self)
  }

  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }
}
