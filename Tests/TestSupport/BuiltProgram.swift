package import Foundation

/// A program of this package, built beside the tests, which runs as a separate process.
package struct BuiltProgram: Sendable {
  /// The result of a process that has ended.
  package struct Run: Sendable {
    /// The exit status, or 128 plus the number of the signal that ended the process.
    package var status: Int32
    package var output: Data
    package var error: String
    package var seconds: Double

    package var text: String { String(decoding: output, as: UTF8.self) }
  }

  package let path: String
  /// Environment variables in addition to the test process's.
  package var environment: [String: String] = [:]

  package init(_ name: String) {
    path =
      URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent(name).path
  }

  /// The folders that are searched for commands, first the one with the programs that were built.
  package static var searchPath: String {
    let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().path
    return "\(folder):\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")"
  }

  /// Runs the program in a folder until it ends.
  package func run(
    _ arguments: [String], in folder: TemporaryFolder, input: Data = Data()
  ) throws -> Run {
    try run(path, arguments, in: folder, input: input)
  }

  /// Runs another program in a folder, with the same environment.
  package func run(
    _ program: String, _ arguments: [String], in folder: TemporaryFolder, input: Data = Data()
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

    let start = Date()
    let process = try ProcessStart.spawn(
      program, arguments, in: folder, environment: environment, actions: &actions)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {}

    return Run(
      status: status & 0x7F == 0 ? status >> 8 : 128 + status & 0x7F,
      output: try Data(contentsOf: URL(fileURLWithPath: names[1])),
      error: String(
        decoding: try Data(contentsOf: URL(fileURLWithPath: names[2])), as: UTF8.self),
      seconds: Date().timeIntervalSince(start))
  }
}
