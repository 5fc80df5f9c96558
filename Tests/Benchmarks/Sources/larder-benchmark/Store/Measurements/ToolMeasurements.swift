import PropertyList

/// Measures tools that read or set one preference and end, from the start to the exit of the
/// process, compared with the same on Foundation and with a tool that does nothing.
///
/// The tools are linked statically, as programs are installed.
enum ToolMeasurements {
  static func measure(_ workspace: StoreWorkspace, _ findings: inout Findings) throws {
    try MeasuredTool.prepare(workspace)
    var ends: [MeasuredTool: [Double]] = [:]
    var number = 0
    let contenders = MeasuredTool.allCases.map { tool in
      Contender(tool.rawValue) {
        Terminal.show("tool, \(tool.rawValue)")
        number += 1
        let sample = try tool.time(setting: number, workspace)
        if let end = sample.end { ends[tool, default: []].append(end) }
        return sample.whole
      }
    }
    let timings = try takeTimes(of: contenders, rounds: workspace.isQuick ? 20 : 200)
    let times = Dictionary(uniqueKeysWithValues: zip(MeasuredTool.allCases, timings))
    try MeasuredTool.check(workspace)

    func compare(
      _ measurement: String, _ tool: MeasuredTool, _ peers: [(MeasuredTool, Target?)],
      of times: [MeasuredTool: Timing]
    ) {
      let compared = ([tool] + peers.map(\.0)).compactMap { times[$0] }
      findings.addComparison(measurement, compared) { timing in
        peers.first { $0.0.rawValue == timing.name }?.1
      } isLimit: { _ in
        true
      }
    }
    compare(
      "get and end", .get, [(.getOfFoundation, .atMost(1)), (.empty, .atMost(1.15))], of: times)
    compare("set and end", .set, [(.setOfFoundation, .atMost(1.25)), (.empty, nil)], of: times)
    compare("defaults read", .read, [(.empty, nil)], of: times)
    compare("defaults write", .write, [(.empty, nil)], of: times)

    // What the kernel does at the end of a process, such as removing watches, delays its parent.
    let endTimes = ends.reduce(into: [MeasuredTool: Timing]()) { times, tool in
      times[tool.key] = Timing(name: tool.key.rawValue, samples: Array(tool.value.dropFirst()))
    }
    compare(
      "the end of get, after the work", .get, [(.getOfFoundation, nil), (.empty, .atMost(1.15))],
      of: endTimes)
    try countSystemCalls(workspace, &findings)
  }

  private static func countSystemCalls(
    _ workspace: StoreWorkspace, _ findings: inout Findings
  ) throws {
    let tools = [MeasuredTool.get, .set, .read, .write, .getOfFoundation]
    let calls = try tools.map { try $0.systemCalls(workspace) }
    let base = try MeasuredTool.empty.systemCalls(workspace)
    func add(_ measurement: String, _ counts: [Int], _ targets: [MeasuredTool: Double]) {
      for (tool, count) in zip(tools, counts) {
        findings.add(
          measurement, Timing(name: tool.rawValue, samples: [Double(count)]), unit: .count,
          targets[tool].map { .atMost($0) })
      }
    }
    add(
      "system calls more than without work", calls.map { $0.count - base.count },
      [.get: 25, .set: 45])
    add("threads", calls.map(\.threads), [.get: 0])
  }
}
