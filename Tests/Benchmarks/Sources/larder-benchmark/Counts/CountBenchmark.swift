import Foundation

/// Counts instructions and allocations of the codec and of setting a value, which are stable across
/// runs, and checks them against ceilings.
enum CountBenchmark {
  /// The counts of a whole process.
  private struct Count {
    var instructions: Int
    var allocations: Int
  }

  /// - Returns: 1 if a count exceeds its ceiling.
  static func run(_ arguments: [String]) throws -> Int32 {
    let folder = try BenchmarkOptions(arguments, groups: []).folder
    let document = try SampleDocument("medium", MediaLibrary.value(tracks: 1_000), in: folder)
    let valgrind = try Valgrind(folder: folder)
    var counts: [CountedStep: Count] = [:]
    for step in CountedStep.allCases {
      Terminal.show("counting, \(step.rawValue)")
      let command = ["count", step.rawValue, document.path(step.source)]
      counts[step] = Count(
        instructions: try valgrind.instructions(command),
        allocations: try valgrind.allocations(command))
    }
    let measured = CountedStep.allCases.compactMap { step -> CountCeiling? in
      guard let count = counts[step], let base = step.baseline.flatMap({ counts[$0] }) else {
        return nil
      }
      let values = Double(step == .set ? CountedStep.setCount : document.nodeCount)
      return CountCeiling(
        step: step, instructions: Double(count.instructions - base.instructions) / values,
        allocations: Double(count.allocations - base.allocations) / values)
    }

    Terminal.print(
      "A library of \(document.nodeCount) values: \(document.xml.count) bytes of XML, "
        + "\(document.binary.count) of binary\n")
    var findings = Findings("counts")
    for measured in measured {
      let ceiling = CountCeiling.all.first { $0.step == measured.step }
      for (name, value, limit) in [
        ("instructions", measured.instructions, ceiling?.instructions),
        ("allocations", measured.allocations, ceiling?.allocations),
      ] {
        findings.add(
          measured.step.rawValue, Timing(name: "\(name) per value", samples: [value]), unit: .count,
          limit.map { .atMost($0) })
      }
    }
    for finding in findings.list { Terminal.print(finding.row) }
    Terminal.print("\nCeilings for these counts:")
    for measured in measured { Terminal.print(line(measured)) }
    return findings.list.allSatisfy { $0.isMet == true } ? 0 : 1
  }

  /// Returns the line of the table of ceilings for a measured count.
  private static func line(_ measured: CountCeiling) -> String {
    let instructions = (measured.instructions * CountCeiling.slack).rounded(.up)
    let allocations = measured.allocations * CountCeiling.slack
    return "    CountCeiling(step: .\(measured.step), instructions: \(Int(instructions)), "
      + "allocations: \(number(allocations))),"
  }

  private static func number(_ value: Double) -> String {
    String(format: value < 10 ? "%.3f" : "%.1f", value)
  }
}
