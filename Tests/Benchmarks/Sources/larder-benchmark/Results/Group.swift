/// Measurements with a common table.
struct Group<Workspace>: Sendable {
  var name: String
  var title: String
  var measure: @Sendable (Workspace, inout Findings) throws -> Void
}

/// Measures the groups that the options choose, and prints what they find.
func measure<Workspace>(
  _ groups: [Group<Workspace>], _ options: BenchmarkOptions, _ workspace: Workspace
) -> [Findings] {
  var all: [Findings] = []
  for group in groups where options.includes(group.name) {
    var findings = Findings(group.name)
    do {
      try group.measure(workspace, &findings)
    } catch {
      findings.addFailure("remaining measurements", error)
    }
    Terminal.print("\n\(group.title)")
    for finding in findings.list { Terminal.print(finding.row) }
    for failure in findings.failures { Terminal.print("failed       \(failure)") }
    all.append(findings)
  }
  let results = all.flatMap(\.list).compactMap(\.isMet)
  let failures = all.flatMap(\.failures).count
  Terminal.print(
    "\n\(results.count { $0 }) of \(results.count) targets met"
      + (failures == 0 ? "" : "; \(failures) measurements failed, see above"))
  return all
}
