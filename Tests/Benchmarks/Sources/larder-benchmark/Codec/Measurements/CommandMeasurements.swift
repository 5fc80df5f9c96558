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
    let commands: [(String, [String], Target?)] = [
      ("-lint small", ["-lint", small], .atLeast(2.2)),
      ("-p small", ["-p", small], .atLeast(2.2)),
      ("-convert small", ["-convert", "binary1", "-o", output, small], .atLeast(2.2)),
      ("-convert library", ["-convert", "binary1", "-o", output, library], .atLeast(30)),
    ]
    for (name, arguments, target) in commands {
      findings.addComparison(name, try time(name, arguments, of: programs)) { _ in target }
    }

    // At least 20 MB of XML a second.
    let many = try workspace.document("prefs-100k")
    for timing in try time("-p prefs-100k", ["-p", many.path(.xml)], of: [programs[0]]) {
      findings.add("-p prefs-100k", timing, .atMost(Double(many.xml.count) / 20e6 * 1e9))
    }

    func time(
      _ name: String, _ arguments: [String], of programs: [(String, String)]
    ) throws -> [Timing] {
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
      return try takeTimes(of: contenders, within: workspace.budget)
    }
  }
}
