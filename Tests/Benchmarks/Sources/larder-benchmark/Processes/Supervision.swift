import Foundation

/// Runs child processes with a temporary folder.
enum Supervision {
  /// Runs a process of this program with a temporary folder, and removes the folder when the
  /// process exits for any reason.
  ///
  /// - Parameters:
  ///   - verb: The verb for the process; the folder is its first argument.
  ///   - place: The parent of the folder; nil for the first usable one on a disk.
  ///   - environment: Returns variables for the process, given the folder.
  /// - Returns: The exit status of the process.
  static func run(
    _ verb: String, _ arguments: [String], in place: String?,
    environment: (String) throws -> [String: String] = { _ in [:] }
  ) throws -> Int32 {
    let signals = SignalWait([SIGINT, SIGTERM, SIGHUP, SIGCHLD])
    let folder = try makeFolder(in: place)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let process = try ChildProcess(
      [verb, folder] + arguments, environment: try environment(folder), capturesOutput: false)
    while true {
      let signal = signals.next()
      if signal == SIGCHLD { return process.wait() }
      kill(process.identifier, signal)
    }
  }

  private static func makeFolder(in place: String?) throws -> String {
    let places =
      place.map { [$0] }
      ?? [
        FileManager.default.currentDirectoryPath + "/.build",
        ProcessInfo.processInfo.environment["TMPDIR"] ?? "", "/var/tmp", "/tmp",
      ]
    let usable = places.filter { access($0, W_OK | X_OK) == 0 }.compactMap { place in
      realpath(place, nil).map { path in
        defer { free(path) }
        return String(cString: path)
      }
    }
    guard let parent = usable.first(where: { !Machine.isInMemory($0) }) ?? usable.first else {
      throw BenchmarkError("no usable folder: \(places.joined(separator: ", "))")
    }
    guard let path = strdup(parent + "/larder-benchmark.XXXXXX") else { throw noFolder(parent) }
    defer { free(path) }
    guard mkdtemp(path) != nil else { throw noFolder(parent) }
    return String(cString: path)
  }

  private static func noFolder(_ parent: String) -> BenchmarkError {
    BenchmarkError("cannot create a folder in \(parent): error \(errno)")
  }
}
