import Foundation
import Preferences

/// The measurements of the preferences store.
enum StoreBenchmark {
  /// Measurements that are printed as one table.
  struct Group: Sendable {
    var name: String
    var title: String
    var measure: @Sendable (Workplace, inout Table) throws -> Void
  }

  static let groups = [
    Group(name: "get", title: "Reading a value", measure: GetMeasurements.measure),
    Group(
      name: "threads", title: "Reading by many threads, time per value of all of them together",
      measure: ThreadMeasurements.measure),
    Group(name: "miss", title: "Reading what is not there", measure: MissMeasurements.measure),
    Group(
      name: "set", title: "Setting a value in memory, with saving in the background as it comes",
      measure: SetMeasurements.measure),
    Group(name: "fill", title: "Setting many new keys", measure: FillMeasurements.measure),
    Group(name: "typed", title: "Typed keys", measure: TypedMeasurements.measure),
    Group(
      name: "commit", title: "Bringing one changed key to the disk",
      measure: CommitMeasurements.measure),
    Group(
      name: "open", title: "Opening a domain and reading a key, in a new process",
      measure: OpenMeasurements.measure),
    Group(
      name: "change", title: "Hearing of what another process saves",
      measure: ChangeMeasurements.measure),
  ]

  // MARK: Around the measuring

  /// Has another process measure in a folder of its own.
  ///
  /// It has to be another one for a second reason: Foundation notes as a program starts where
  /// preferences are.
  static func supervise(_ arguments: [String]) throws -> Int32 {
    let options = try BenchmarkOptions(arguments)
    try options.checkBuild()
    try options.checkWords(groups.map(\.name))
    return try Supervision.run("store-within", arguments, in: options.folder) { folder in
      let user = Workplace.locations(in: folder).user
      try FileManager.default.createDirectory(atPath: user, withIntermediateDirectories: true)
      return ["XDG_CONFIG_HOME": user]
    }
  }

  /// Measures in the folder that is the first argument.
  static func run(_ arguments: [String]) throws -> Int32 {
    guard let folder = arguments.first else { throw UsageError("a folder is missing") }
    let options = try BenchmarkOptions(Array(arguments.dropFirst()))
    let workplace = Workplace(folder: folder, options: options)

    for line in Machine.lines { Terminal.print(line) }
    Terminal.print("file system  \(Machine.fileSystem(of: folder)) at \(folder)")
    Terminal.print(
      "samples      taken in turn; median, and the times that 10 % and 90 % of them keep to"
        + (options.isQuick ? "; few and short ones" : ""))
    if Machine.isInMemory(folder) {
      Terminal.report("the folder is in memory: what it says of disks tells nothing; see --folder")
    }

    var rows: [Table.Row] = []
    for group in groups where options.includes(group.name) {
      var table = Table(title: group.title)
      do {
        try group.measure(workplace, &table)
      } catch {
        Terminal.report("\(group.name): \(error)")
        table.addFailure(error)
      }
      Terminal.print()
      for line in table.lines { Terminal.print(line) }
      rows += table.rows
    }
    Terminal.print()
    Terminal.print(summary(of: rows))
    return rows.contains(where: \.isFailure) ? 1 : 0
  }

  private static func summary(of rows: [Table.Row]) -> String {
    let results = rows.compactMap(\.isMet)
    let met = results.count { $0 }
    let failures = rows.count(where: \.isFailure)
    return "\(met) of \(results.count) targets met"
      + (failures > 0 ? ", \(failures) groups could not be measured to their end" : "")
  }
}
