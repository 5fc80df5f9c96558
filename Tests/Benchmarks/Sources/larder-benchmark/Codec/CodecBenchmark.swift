import Foundation

/// The benchmark of reading and writing property lists.
enum CodecBenchmark {
  static let groups: [Group<CodecWorkspace>] =
    CodecOperation.allCases.map { operation in
      Group(name: operation.name, title: operation.title) { workspace, findings in
        try OperationMeasurements.measure(operation, workspace, &findings)
      }
    } + [
      Group(
        name: "codable", title: "Codable structs of the library",
        measure: CodableMeasurements.measure),
      Group(
        name: "key-path", title: "Reading one value of the library's file",
        measure: KeyPathMeasurements.measure),
      Group(
        name: "memory", title: "Peak memory of reading the library, above the loaded file",
        measure: MemoryMeasurements.measure),
      Group(
        name: "commands", title: "The installed plutil and that of the toolchain",
        measure: CommandMeasurements.measure),
      Group(
        name: "command-memory",
        title: "Peak memory of converting a file, from start to exit",
        measure: CommandMemoryMeasurements.measure),
      Group(
        name: "growth", title: "Time per byte by size of the document",
        measure: GrowthMeasurements.measure),
    ]

  static func run(_ arguments: [String]) throws -> Int32 {
    let options = try BenchmarkOptions(arguments, groups: groups.map(\.name), hasReports: true)
    let workspace = try CodecWorkspace(options)
    var report = Report(workspace)
    for line in report.headLines { Terminal.print(line) }
    for absence in workspace.peers.absences { Terminal.print("absent       \(absence)") }

    report.add(measure(groups, options, workspace))
    if let path = options.json { try write(try report.json, to: path) }
    return 0
  }

  private static func write(_ data: Data, to path: String) throws {
    try data.write(to: URL(fileURLWithPath: path))
    Terminal.print("written      \(path)")
  }
}
