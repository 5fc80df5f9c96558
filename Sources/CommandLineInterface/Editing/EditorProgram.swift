internal import CLinuxFile
internal import FileStorage
internal import Glibc

/// The program in which a person edits text.
struct EditorProgram {
  /// A command of the shell, which may have arguments.
  private let command: String

  /// The programs that are tried without a choice of the user.
  private static let usual = ["editor", "vi", "nano"]

  /// The editor that the environment names, or else a usual one.
  init() throws(CommandFailure) {
    let chosen = ["VISUAL", "EDITOR"].lazy.compactMap { Environment.value(of: $0) }
      .first { !$0.isEmpty }
    guard let command = chosen ?? Self.usual.first(where: { Environment.path(of: $0) != nil })
    else { throw CommandFailure("no editor found; set VISUAL or EDITOR to its command") }
    self.command = command
  }

  /// Runs the editor until it ends. Interrupts of the terminal do not end this process.
  ///
  /// - Throws: That it did not end with success.
  func edit(_ path: String) throws(CommandFailure) {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in Self.interrupts { sigaddset(&signals, number) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    let actions = Self.interrupts.map { ($0, signal($0, SIG_IGN)) }
    defer { for (number, action) in actions { signal(number, action) } }

    // A shell that waited for the editor would end at an interrupt. The command may begin with variables.
    let words = ["sh", "-c", "exec /usr/bin/env \(command) \"$@\"", "sh", path]
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process = pid_t()
    let error = posix_spawn(
      &process, "/bin/sh", nil, &attributes, &arguments, larder_whole_environment())
    guard error == 0 else {
      throw CommandFailure("/bin/sh cannot be run: \(String(cString: strerror(error)))")
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    guard status == 0 else {
      let signal = status & 0x7F
      let end = signal == 0 ? "with status \(status >> 8 & 0xFF)" : "by signal \(signal)"
      throw CommandFailure("the editor \(command) ended \(end)")
    }
  }

  private static let interrupts = [SIGINT, SIGQUIT]
}
