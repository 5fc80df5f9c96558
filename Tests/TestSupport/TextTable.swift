/// The rows of a table written as text: one case per line, with the expected results indented below
/// it.
package func rows(_ text: String) -> [(String, String)] {
  var rows: [(String, String)] = []
  var cases: [String] = []
  for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
    guard line.hasPrefix("  ") else {
      cases.append(line)
      continue
    }
    precondition(!cases.isEmpty, "there is no case for \(line)")
    rows += cases.map { ($0, String(line.dropFirst(2))) }
    cases = []
  }
  precondition(cases.isEmpty, "nothing is expected of \(cases)")
  return rows
}
