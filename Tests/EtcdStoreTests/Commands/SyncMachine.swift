#if Etcd
  import Foundation
  import PropertyList
  import TestSupport
  import Testing

  /// A machine with its own preferences and configuration, where `defaults-sync` runs.
  final class SyncMachine: Sendable {
    let folder: TemporaryFolder
    private let extra: [String: String]

    /// - Parameter environment: More variables of the environment.
    init(environment: [String: String] = [:]) throws {
      folder = try TemporaryFolder()
      extra = environment
    }

    private var environment: [String: String] {
      extra.merging([
        "HOME": folder.path, "XDG_CONFIG_HOME": folder.path("config"),
        "XDG_STATE_HOME": folder.path("home-state"), "PATH": BuiltProgram.searchPath,
        "SWIFT_BACKTRACE": "enable=no",
      ]) { $1 }
    }

    /// Writes the configuration: endpoints, domains with their keys, and more of its text.
    func configure(
      _ endpoints: [String],
      _ domains: [String: [String]] = ["org.example.editor": ["theme", "size"]],
      _ more: String = ""
    ) throws {
      let list = { (texts: [String]) in "(\(texts.map { "\"\($0)\"" }.joined(separator: ", ")))" }
      let domains = domains.map { "\"\($0)\" = \(list($1));" }.joined(separator: " ")
      try configure("{ endpoints = \(list(endpoints)); domains = { \(domains) }; \(more) }")
    }

    /// Writes a text as the configuration. The state is in the folder `state`.
    func configure(_ text: String) throws {
      let start = text.hasPrefix("{") ? "{ stateFolder = state; " + text.dropFirst() : text
      // At once, since an agent may be reading.
      try Data(start.utf8).write(to: URL(fileURLWithPath: configuration), options: .atomic)
      chmod(configuration, 0o600)
    }

    var configuration: String { folder.path("sync.plist") }

    /// Writes a password to a file that only its owner may read.
    func writePassword(_ password: String) throws {
      try folder.write(password, to: "password")
      chmod(folder.path("password"), 0o600)
    }

    /// Runs a command until it ends, on a thread outside the pool of tasks.
    func run(_ program: String, _ words: [String]) async throws -> BuiltProgram.Run {
      try await runProgram(at: BuiltProgram(program).path, words)
    }

    /// Runs a program of a path until it ends, in the environment of the machine.
    func runProgram(at path: String, _ words: [String]) async throws -> BuiltProgram.Run {
      var program = BuiltProgram("")
      program.environment = environment
      return try await blocking { [program, folder] in try program.run(path, words, in: folder) }
    }

    /// Runs `defaults-sync` with the configuration.
    func sync(_ words: String...) async throws -> BuiltProgram.Run {
      try await run("defaults-sync", words + ["--config", configuration])
    }

    /// Runs `defaults`, and returns what it printed without the line feed.
    @discardableResult
    func defaults(_ words: String...) async throws -> String {
      let run = try await run("defaults", words)
      return run.text.hasSuffix("\n") ? String(run.text.dropLast()) : run.text
    }

    /// The status as `status --json` prints it.
    func status() async throws -> PlistValue {
      try Plist.read(try await sync("status", "--json").output).value
    }

    /// Waits until the status has a value.
    func waitForStatus(_ place: PlistKeyPath, _ value: PlistValue) async throws {
      try await waitForStatus { $0[place] == value }
    }

    /// Waits until the status meets a condition.
    func waitForStatus(_ condition: (PlistValue) -> Bool) async throws {
      try await repeated {
        let status = try await status()
        if !condition(status) { throw OtherStatus(status: status) }
      }
    }

    private struct OtherStatus: Error {
      let status: PlistValue
    }

    /// Starts `defaults-sync` with the configuration, and leaves it running.
    ///
    /// - Parameter wrapper: A command that runs the program.
    func start(_ words: String..., wrapper: [String] = []) throws -> SyncProcess {
      try SyncProcess(
        wrapper + [BuiltProgram("defaults-sync").path] + words + ["--config", configuration],
        in: folder, environment)
    }
  }

  /// A process of `defaults-sync` that runs beside the test, killed with the last reference.
  final class SyncProcess {
    let identifier: pid_t
    private let files: [String]
    private var status: Int32?

    init(_ command: [String], in folder: TemporaryFolder, _ environment: [String: String]) throws {
      files = ["output", "error"].map { folder.path("\($0)-\(UUID().uuidString)") }
      var actions = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&actions)
      defer { posix_spawn_file_actions_destroy(&actions) }
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
      for (number, file) in zip([1, 2] as [Int32], files) {
        posix_spawn_file_actions_addopen(&actions, number, file, O_WRONLY | O_CREAT, 0o600)
      }
      identifier = try ProcessStart.spawn(
        "/usr/bin/env", command, in: folder, environment: environment, actions: &actions)
    }

    deinit {
      if isRunning {
        send(SIGKILL)
        waitpid(identifier, nil, 0)
      }
    }

    private var isRunning: Bool {
      if status != nil { return false }
      var result: Int32 = 0
      if waitpid(identifier, &result, WNOHANG) == identifier { status = result }
      return status == nil
    }

    /// What it has printed so far.
    var output: String { text(files[0]) }
    /// What it has printed on standard error so far.
    var log: String { text(files[1]) }

    private func text(_ path: String) -> String {
      (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }

    func send(_ signal: Int32) { kill(identifier, signal) }

    /// Waits until a text is in the log a number of times.
    func waitForLog(
      _ text: String, count: Int = 1, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
      let found = await eventually(sourceLocation: sourceLocation) {
        log.split(separator: text, omittingEmptySubsequences: false).count > count
      }
      try #require(found, "\(log)", sourceLocation: sourceLocation)
    }

    /// Sends a signal, waits for the end, and returns the exit status; 128 and the signal if one has
    /// ended the process.
    func end(_ signal: Int32 = SIGTERM) async throws -> Int32 {
      send(signal)
      try #require(await eventually { !isRunning }, "\(log)")
      let status = try #require(status)
      return status & 0x7F == 0 ? status >> 8 : 128 + status & 0x7F
    }
  }
#endif
