internal import CLinuxFile
package import FoundationEssentials
internal import Glibc

/// Runs another program for its output.
package enum ProgramOutput {
  /// Runs a program, which is searched for in `PATH`, until it ends, with nothing on its standard
  /// input and without its standard error.
  ///
  /// - Parameter limit: The maximum number of bytes.
  /// - Returns: Its output; nil if it cannot be started, prints more, or ends with a status other
  ///   than 0.
  package static func run(_ words: [String], limit: Int) -> Data? {
    guard let name = words.first else { return nil }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    guard let output = Descriptor(taking: ends[0]) else {
      close(ends[1])
      return nil
    }
    for end in [output.number, ends[1]] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process = pid_t()
    let result = posix_spawnp(&process, name, &actions, nil, &arguments, larder_whole_environment())
    close(ends[1])
    guard result == 0 else { return nil }
    let data = try? output.readAll(limit: limit, size: nil)
    // It may wait for the rest to be read.
    if data == nil { kill(process, SIGKILL) }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status == 0 ? data : nil
  }
}
