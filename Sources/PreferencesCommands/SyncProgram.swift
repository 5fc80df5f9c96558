internal import CommandLineInterface
internal import FileStorage
internal import FoundationEssentials
internal import Glibc

/// The program `defaults-sync`, from a separate package. `defaults sync` runs it as git runs its
/// commands.
enum SyncProgram {
  private static let name = "defaults-sync"

  /// Replaces the process with the program, with the words of a command line.
  ///
  /// - Returns: Why that failed.
  static func replaceProcess(_ words: [String]) -> CommandFailure {
    guard let path else {
      return CommandFailure(
        "defaults: \(name) is not installed; it is in the package larder-sync")
    }
    var arguments = ([name] + words).map { strdup($0) } + [nil]
    execv(path, &arguments)
    let reason = String(cString: strerror(errno))
    for argument in arguments { free(argument) }
    return CommandFailure("defaults: \(path) cannot be run: \(reason)")
  }

  /// The path of the program: beside this one, or in `PATH`; nil if it is in neither.
  private static var path: String? {
    if let program = try? FilePath.resolved("/proc/self/exe") {
      let path = FilePath.joining(FilePath.split(program).folder ?? "/", name)
      if access(path, X_OK) == 0 { return path }
    }
    return Environment.path(of: name)
  }

  /// The words with which the program completes its command line.
  static func completions(
    after words: [String], _ current: String
  ) -> [CommandLineTool.Completion] {
    guard let path,
      let output = ProgramOutput.run([path, "--candidates"] + words + [current], limit: 1 << 20)
    else { return [] }
    let lines = String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    let candidates = lines.dropFirst().map { line in
      String(line.prefix { $0 != "\t" })
    }
    return (lines.first == "files" ? [.files] : []) + [.words(candidates)]
  }
}
