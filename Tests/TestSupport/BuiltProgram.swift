package import Foundation

/// Runs of a program that was built beside the tests, as a process of its own.
package struct BuiltProgram: Sendable {
  /// What a run left behind.
  package struct Run: Sendable {
    package var status: Int32
    package var output: Data
    package var error: String
    package var seconds: Double

    package var text: String { String(decoding: output, as: UTF8.self) }
  }

  package let path: String
  /// The variables that its environment has besides those of the tests.
  package var environment: [String: String] = [:]

  package init(_ name: String) {
    path =
      URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent(name).path
  }

  /// Runs the program in a folder.
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

    // Tests may have signals ignored or blocked, which the process would inherit.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    let environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    // The shell is only there to change the folder; it becomes the program.
    let shell = ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", folder.path, program]
    let words = (shell + arguments).map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for pointer in words + variables { free(pointer) } }

    let start = Date()
    var process = pid_t()
    let failure = posix_spawn(&process, shell[0], &actions, &attributes, words, variables)
    guard failure == 0 else { throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .EIO) }
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
