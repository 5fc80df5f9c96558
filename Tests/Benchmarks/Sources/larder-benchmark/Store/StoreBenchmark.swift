import Foundation
import Preferences

/// The benchmark of the preferences store.
enum StoreBenchmark {
  static let groups: [Group<StoreWorkspace>] = [
    Group(
      name: "tool", title: "Whole processes, from start to end", measure: ToolMeasurements.measure),
    Group(name: "get", title: "Reading a value", measure: GetMeasurements.measure),
    Group(
      name: "threads", title: "Reading in several threads, time per value of all threads together",
      measure: ThreadMeasurements.measure),
    Group(name: "miss", title: "Reading a missing value", measure: MissMeasurements.measure),
    Group(
      name: "set", title: "Setting a value in memory, with background commits",
      measure: SetMeasurements.measure),
    Group(name: "fill", title: "Setting many new keys", measure: FillMeasurements.measure),
    Group(name: "typed", title: "Typed keys", measure: TypedMeasurements.measure),
    Group(
      name: "commit", title: "Committing one changed key to disk",
      measure: CommitMeasurements.measure),
    Group(
      name: "writers", title: "Many processes that write to one file, total time",
      measure: WriterMeasurements.measure),
    Group(
      name: "open", title: "Opening a domain and reading a key in a new process",
      measure: OpenMeasurements.measure),
    Group(
      name: "change", title: "Observing changes of another process",
      measure: ChangeMeasurements.measure),
  ]

  // MARK: Running

  static func run(_ arguments: [String]) throws -> Int32 {
    let options = try BenchmarkOptions(arguments, groups: groups.map(\.name))
    let workspace = StoreWorkspace(options: options)
    let folder = options.folder
    let user = StoreWorkspace.locations(in: folder).user
    guard ProcessInfo.processInfo.environment["XDG_CONFIG_HOME"] == user else {
      throw UsageError("Foundation needs XDG_CONFIG_HOME=\(user) from the start")
    }
    try FileManager.default.createDirectory(atPath: user, withIntermediateDirectories: true)

    for line in Machine.lines { Terminal.print(line) }
    Terminal.print("file system  \(Machine.fileSystem(of: folder)) at \(folder)")
    Terminal.print(
      "samples      taken in turn; median, 10 % and 90 % quantiles"
        + (options.isQuick ? "; few and short" : ""))
    if Machine.isInMemory(folder) {
      Terminal.report("the folder is in memory: disk times are meaningless; set TMPDIR")
    }

    return measure(groups, options, workspace).allSatisfy(\.failures.isEmpty) ? 0 : 1
  }
}
