import Foundation

/// Everything that was measured, with what it depends on.
struct Report: Encodable {
  struct Document: Codable {
    var name: String
    var summary: String
    var values: Int
    var xmlBytes: Int
    var binaryBytes: Int
  }

  let date: Date
  let isQuick: Bool
  let machine: [String: String]
  let versions: [String: String]
  let absent: [String]
  let documents: [Document]
  /// Of which time the times are: `plutil`'s from start to end, all others the processor's.
  let clocks = ["commands": "wall", "all others": "processor time of the process"]
  private(set) var findings: [Finding] = []
  /// What could not be measured, and why.
  private(set) var failures: [String] = []

  init(_ workplace: CodecWorkplace) {
    date = Date()
    isQuick = workplace.options.isQuick
    machine = [
      "processor": Machine.processor, "cores": String(Machine.cores), "kernel": Machine.kernel,
      "load": Machine.load, "build": Machine.isDebugBuild ? "debug" : "release",
    ]
    versions = workplace.peers.versions.merging(["Swift": Machine.compiler]) { $1 }
    absent = workplace.peers.absences
    documents = zip(SampleDocuments.recipes, workplace.documents).map { recipe, document in
      Document(
        name: recipe.name, summary: recipe.summary, values: document.nodeCount,
        xmlBytes: document.xml.count, binaryBytes: document.binary.count)
    }
  }

  mutating func add(_ findings: Findings) {
    self.findings += findings.list
    failures += findings.failures
  }

  /// The report as JSON.
  var json: Data {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      encoder.dateEncodingStrategy = .iso8601
      return try encoder.encode(self)
    }
  }

  // MARK: Printing

  /// The versions of what is measured, in one line.
  var versionsLine: String {
    versions.sorted { $0.key < $1.key }
      .map { $1.hasPrefix($0) ? $1 : "\($0) \($1)" }.joined(separator: ", ")
  }

  /// Lines that tell of the machine, the versions and the documents.
  var headLines: [String] {
    Machine.lines + ["versions     \(versionsLine)"]
      + documents.map { document in
        let sizes = [document.xmlBytes, document.binaryBytes].map { bytes in
          bytes < 100_000 ? "\(bytes) bytes" : Table.number(Double(bytes) / 1e6) + " MB"
        }
        return "document     \(document.name): \(document.summary), "
          + "\(sizes[0]) of XML, \(sizes[1]) of binary"
      } + [
        "samples      taken in turn, of the processor's time (commands: from start to end); median, "
          + "and the times that 10 % and 90 % of them keep to"
          + (isQuick ? "; few and short ones" : "")
      ]
  }

  /// How many targets are met.
  var summary: String {
    let results = findings.compactMap(\.isMet)
    return "\(results.count { $0 }) of \(results.count) targets met"
      + (failures.isEmpty ? "" : "; \(failures.count) could not be measured, as told above")
  }
}
