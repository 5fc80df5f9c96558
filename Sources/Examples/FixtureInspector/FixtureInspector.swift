import FoundationEssentials
import Glibc
import PropertyList

/// Reads all property lists in a folder and reports their contents and errors.
///
///     swift run FixtureInspector Fixtures
///
/// It shows the detection of formats, custom limits, warnings, and errors with their places, and
/// that no file can harm the program. The exit status is 1 if a file cannot be read.
@main
enum FixtureInspector {
  private struct Report {
    var counts: [PlistFormat: Int] = [:]
    var warningCount = 0
    var failures: [(path: String, error: String)] = []
  }

  static func main() throws {
    guard CommandLine.arguments.count == 2 else {
      print("usage: FixtureInspector <folder>")
      exit(2)
    }
    let folder = CommandLine.arguments[1]
    var report = Report()
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder).sorted() {
      guard ["plist", "strings"].contains(path.split(separator: ".").last) else { continue }
      inspect(path, in: folder, &report)
    }
    for format in PlistFormat.allCases {
      if let count = report.counts[format] { print("\(format): \(count)") }
    }
    print("warnings: \(report.warningCount), cannot be read: \(report.failures.count)")
    for failure in report.failures { print("  \(failure.path): \(failure.error)") }
    exit(report.failures.isEmpty ? 0 : 1)
  }

  private static func inspect(_ path: String, in folder: String, _ report: inout Report) {
    do {
      let data = try Data(contentsOf: URL(filePath: folder).appending(path: path))
      var options = PlistReadOptions()
      // Fixtures are small; anything that claims to be larger is refused early.
      options.limits.maximumNodeCount = 100_000
      options.limits.maximumDepth = 100
      let document = try Plist.read(data, options: options)
      report.counts[document.format, default: 0] += 1
      report.warningCount += document.warnings.count
      print("\(path): \(document.format), \(summary(of: document.value))")
      for warning in document.warnings { print("  \(warning)") }
    } catch {
      report.failures.append((path, "\(error)"))
    }
  }

  private static func summary(of value: PlistValue) -> String {
    switch value {
    case .dictionary(let values):
      "\(values.count) keys: \(values.keys.prefix(3).joined(separator: " "))"
    case .array(let elements): "\(elements.count) elements"
    default: "\(value.kind)"
    }
  }
}
