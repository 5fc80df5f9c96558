import Foundation

/// Work in a folder that is there for it alone.
enum Supervision {
  /// Has a process of this program work in a folder that is made for it, and removes the folder when
  /// the process ends, however that comes.
  ///
  /// - Parameters:
  ///   - verb: What the process is to do; the folder is its first argument.
  ///   - place: Where to make the folder; nil for wherever there is a disk.
  ///   - environment: Variables for the process, given the folder.
  /// - Returns: The exit status of the process.
  static func run(
    _ verb: String, _ arguments: [String], in place: String?,
    environment: (String) throws -> [String: String] = { _ in [:] }
  ) throws -> Int32 {
    let signals = SignalWait([SIGINT, SIGTERM, SIGHUP, SIGCHLD])
    let folder = try makeFolder(in: place)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let process = try ChildProcess(
      [verb, folder] + arguments, environment: try environment(folder), isRead: false)
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
      throw BenchmarkError("no folder to work in: \(places.joined(separator: ", "))")
    }
    guard let path = strdup(parent + "/larder-benchmark.XXXXXX") else { throw noFolder(parent) }
    defer { free(path) }
    guard mkdtemp(path) != nil else { throw noFolder(parent) }
    return String(cString: path)
  }

  private static func noFolder(_ parent: String) -> BenchmarkError {
    BenchmarkError("cannot make a folder in \(parent): error \(errno)")
  }
}
