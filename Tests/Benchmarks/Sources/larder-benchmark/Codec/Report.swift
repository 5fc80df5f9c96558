import Foundation

/// All results, with the machine and the versions that they depend on.
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
  /// The clocks: wall-clock time for commands, processor time for everything else.
  let clocks = ["commands": "wall", "all others": "processor time of the process"]
  private(set) var findings: [Finding] = []
  /// Failed measurements with their errors.
  private(set) var failures: [String] = []

  init(_ workspace: CodecWorkspace) {
    date = Date()
    isQuick = workspace.options.isQuick
    machine = [
      "processor": Machine.processor, "cores": String(Machine.cores), "kernel": Machine.kernel,
      "load": Machine.load, "build": Machine.isDebugBuild ? "debug" : "release",
    ]
    versions = workspace.peers.versions.merging(["Swift": Machine.compiler]) { $1 }
    absent = workspace.peers.absences
    documents = zip(SampleDocuments.recipes, workspace.documents).map { recipe, document in
      Document(
        name: recipe.name, summary: recipe.summary, values: document.nodeCount,
        xmlBytes: document.xml.count, binaryBytes: document.binary.count)
    }
  }

  mutating func add(_ findings: [Findings]) {
    self.findings += findings.flatMap(\.list)
    failures += findings.flatMap(\.failures)
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

  /// The versions of all libraries in one line.
  var versionsLine: String {
    versions.sorted { $0.key < $1.key }
      .map { $1.hasPrefix($0) ? $1 : "\($0) \($1)" }.joined(separator: ", ")
  }

  /// A description of the machine, the versions and the documents, line by line.
  var headLines: [String] {
    Machine.lines + ["versions     \(versionsLine)"]
      + documents.map { document in
        let sizes = [document.xmlBytes, document.binaryBytes].map { bytes in
          bytes < 100_000 ? "\(bytes) bytes" : String(format: "%.3g MB", Double(bytes) / 1e6)
        }
        return "document     \(document.name): \(document.summary), "
          + "\(sizes[0]) of XML, \(sizes[1]) of binary"
      } + [
        "samples      of processor time (commands: wall-clock time), taken in turn; median, "
          + "10 % and 90 % quantiles" + (isQuick ? "; few and short" : "")
      ]
  }
}
