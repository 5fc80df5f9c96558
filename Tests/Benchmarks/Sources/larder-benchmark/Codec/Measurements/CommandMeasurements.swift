import Foundation

/// How long commands take from start to end, beside the plutil that comes with Swift.
enum CommandMeasurements {
  static func measure(_ workplace: CodecWorkplace, _ findings: inout Findings) throws {
    let own = workplace.options.plutil ?? Executables.find("plutil", beside: Executables.own)?.path
    guard let own else {
      throw BenchmarkError("there is no plutil beside this program: name one with --plutil")
    }
    var programs = [("Larder", own)]
    let swift = Executables.find("swift")
    if let peer = swift.flatMap({ Executables.find("plutil", beside: $0) }) {
      programs.append(("toolchain", peer.path))
    } else {
      findings.addFailure("the toolchain", BenchmarkError("there is no plutil beside swift"))
    }

    let small = try workplace.document(SampleDocuments.small).path(.xml)
    let library = try workplace.document(SampleDocuments.library).path(.xml)
    let output = workplace.folder + "/converted"
    let commands: [(String, [String], Table.Target?)] = [
      ("-lint small", ["-lint", small], .atLeast(2)),
      ("-p small", ["-p", small], .atLeast(2)),
      ("-convert small", ["-convert", "binary1", "-o", output, small], .atLeast(2)),
      ("-convert library", ["-convert", "binary1", "-o", output, library], .atLeast(30)),
    ]
    for (name, arguments, target) in commands {
      let contenders = try programs.map { program in
        Terminal.show("plutil \(name), \(program.0)")
        return try Contender.timed(program.0, workplace.budget) { count in
          try Clock.wall.time {
            for _ in 0..<count {
              _ = try ChildProcess(arguments, of: program.1, isRead: true).waitForOutput()
            }
          }
        }
      }
      findings.addComparison(name, try takeTimes(of: contenders, within: workplace.budget)) { _ in
        target
      }
    }
  }
}
