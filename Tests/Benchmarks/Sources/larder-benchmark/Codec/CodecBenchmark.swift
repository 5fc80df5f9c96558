import Foundation

/// The measurements of reading and writing property lists.
enum CodecBenchmark {
  /// Measurements that are printed as one table.
  struct Group: Sendable {
    var name: String
    var title: String
    var measure: @Sendable (CodecWorkplace, inout Findings) throws -> Void
  }

  static let groups =
    CodecOperation.allCases.map { operation in
      Group(name: operation.name, title: operation.title) { workplace, findings in
        try OperationMeasurements.measure(operation, workplace, &findings)
      }
    } + [
      Group(
        name: "codable", title: "Codable structs of the library",
        measure: CodableMeasurements.measure),
      Group(
        name: "key-path", title: "One value of the library's file, the rest unread",
        measure: KeyPathMeasurements.measure),
      Group(
        name: "memory", title: "Peak memory of reading the library, above the loaded file",
        measure: MemoryMeasurements.measure),
      Group(
        name: "commands", title: "plutil as installed, beside the toolchain's",
        measure: CommandMeasurements.measure),
      Group(
        name: "growth", title: "Time per byte of the document, by its size",
        measure: GrowthMeasurements.measure),
    ]

  /// Has another process measure in a folder of its own.
  static func supervise(_ arguments: [String]) throws -> Int32 {
    let options = try BenchmarkOptions(arguments, hasReports: true)
    try options.checkBuild()
    try options.checkWords(groups.map(\.name))
    return try Supervision.run("codec-within", arguments, in: options.folder)
  }

  /// Measures in the folder that is the first argument.
  static func run(_ arguments: [String]) throws -> Int32 {
    guard let folder = arguments.first else { throw UsageError("a folder is missing") }
    let options = try BenchmarkOptions(Array(arguments.dropFirst()), hasReports: true)
    let workplace = try CodecWorkplace(folder: folder, options: options)
    var report = Report(workplace)
    for line in report.headLines { Terminal.print(line) }
    for absence in workplace.peers.absences { Terminal.print("absent       \(absence)") }

    for group in groups where options.includes(group.name) {
      var findings = Findings(group.name, title: group.title)
      do {
        try group.measure(workplace, &findings)
      } catch {
        findings.addFailure("the rest", error)
      }
      Terminal.print()
      for line in findings.table.lines { Terminal.print(line) }
      report.add(findings)
    }
    Terminal.print()
    Terminal.print(report.summary)

    if let path = options.json { try write(try report.json, to: path) }
    if let path = options.chart { try write(Data(Chart(report).svg.utf8), to: path) }
    return 0
  }

  private static func write(_ data: Data, to path: String) throws {
    try data.write(to: URL(fileURLWithPath: path))
    Terminal.print("written      \(path)")
  }
}
