import Foundation

/// Measures commands of plutil from start to exit, compared with the plutil of the Swift toolchain.
enum CommandMeasurements {
  static func measure(_ workspace: CodecWorkspace, _ findings: inout Findings) throws {
    var programs = [("Larder", try workspace.options.program("plutil"))]
    let swift = Executables.find("swift")
    if let peer = swift.flatMap({ Executables.find("plutil", beside: $0) }) {
      programs.append(("toolchain", peer.path))
    } else {
      findings.addFailure("the toolchain", BenchmarkError("there is no plutil next to swift"))
    }

    let small = try workspace.document(SampleDocuments.small).path(.xml)
    let library = try workspace.document(SampleDocuments.library).path(.xml)
    let output = workspace.folder + "/converted"
    let commands: [(String, [String], Table.Target?)] = [
      ("-lint small", ["-lint", small], .atLeast(2.2)),
      ("-p small", ["-p", small], .atLeast(2.2)),
      ("-convert small", ["-convert", "binary1", "-o", output, small], .atLeast(2.2)),
      ("-convert library", ["-convert", "binary1", "-o", output, library], .atLeast(30)),
    ]
    for (name, arguments, target) in commands {
      let contenders = try programs.map { program in
        Terminal.show("plutil \(name), \(program.0)")
        return try Contender.timed(program.0, workspace.budget) { count in
          try Clock.wall.time {
            for _ in 0..<count {
              _ = try ChildProcess(arguments, of: program.1).waitForOutput()
            }
          }
        }
      }
      findings.addComparison(name, try takeTimes(of: contenders, within: workspace.budget)) { _ in
        target
      }
    }
  }
}
