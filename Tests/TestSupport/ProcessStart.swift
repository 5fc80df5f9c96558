package import Foundation

/// Starts processes for tests.
package enum ProcessStart {
  /// Starts a program in a folder, with default signal handling, whatever the test process has set.
  ///
  /// - Parameters:
  ///   - environment: Environment variables in addition to the test process's.
  ///   - actions: Actions on its file descriptors.
  ///   - flags: Additional flags of `posix_spawn`.
  package static func spawn(
    _ program: String, _ arguments: [String], in folder: TemporaryFolder,
    environment: [String: String], actions: inout posix_spawn_file_actions_t, flags: Int32 = 0
  ) throws -> pid_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    let flags = flags | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    posix_spawnattr_setflags(&attributes, Int16(flags))

    let environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    // The shell changes the folder, then replaces itself by the program.
    let shell = ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", folder.path, program]
    let words = (shell + arguments).map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for pointer in words + variables { free(pointer) } }

    var process = pid_t()
    let failure = posix_spawn(&process, shell[0], &actions, &attributes, words, variables)
    guard failure == 0 else { throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .EIO) }
    return process
  }
}
