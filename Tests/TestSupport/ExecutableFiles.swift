internal import Foundation
internal import Testing

// A file is open for writing in a process that writes it, and in a child that another thread starts
// in that time, until that child executes its program. Until then the system refuses to run the
// file ("Text file busy"), so separate processes write the executable files of tests.

extension BuiltProgram {
  /// Copies the program into a folder, where any user can run it.
  package func copy(to name: String, in folder: TemporaryFolder) throws {
    let command = ["-m", "755", path, name]
    let run = try run("/usr/bin/install", command, in: folder)
    try #require(run.status == 0, "\(run.error)")
  }
}

extension TemporaryFolder {
  /// Writes a script that any user can run.
  package func writeScript(_ text: String, to name: String) throws {
    let command = ["-m", "755", "/dev/stdin", name]
    let run = try BuiltProgram("sh").run(
      "/usr/bin/install", command, in: self, input: Data(text.utf8))
    try #require(run.status == 0, "\(run.error)")
  }
}
