import Foundation
import PropertyList

/// Measures the time and memory to read one value of the library's file without reading the rest.
enum KeyPathMeasurements {
  /// The name of a track in the middle of the library.
  private static let path = PlistKeyPath(components: ["Tracks", "21000", "Name"])

  static func measure(_ workspace: CodecWorkspace, _ findings: inout Findings) throws {
    let document = try workspace.document(SampleDocuments.library)
    let file = document.path(.binary)
    let expected = try Plist.read(document.binary).value[path]
    try ensure(expected != nil && find(in: file) == expected, "a different value is found")

    Terminal.show("key-path")
    let timings = try takeTimes(
      of: [
        contender("Larder", workspace) { consume(try find(in: file)) },
        contender("Larder, all read", workspace) {
          let data = try Data(contentsOf: URL(fileURLWithPath: file))
          consume(try Plist.read(data).value[path])
        },
        contender("Foundation, all read", workspace) {
          let data = try Data(contentsOf: URL(fileURLWithPath: file))
          let root = try FoundationCodec.read(data) as? [String: Any]
          let tracks = root?["Tracks"] as? [String: Any]
          consume((tracks?["21000"] as? [String: Any])?["Name"])
        },
      ], within: workspace.budget)
    findings.add("time", timings[0], .atMost(500_000))
    for timing in timings.dropFirst() {
      findings.add(
        "time", timing, ratio: ("\(timing.name) / Larder", timing.median / timings[0].median))
    }

    let samples = try (0..<(workspace.options.isQuick ? 1 : 3)).map { _ in
      try memory("find", file) - memory("nothing", file)
    }
    findings.add(
      "memory", Timing(name: "Larder", samples: samples), unit: .bytes, .atMost(1_048_576))
  }

  private static func find(in file: String) throws -> PlistValue? {
    try BinaryPlistDocument(path: file).value(at: path)
  }

  private static func contender(
    _ name: String, _ workspace: CodecWorkspace, _ work: @escaping () throws -> Void
  ) throws -> Contender {
    try .timed(name, workspace.budget) { count in
      try Clock.processor.time { for _ in 0..<count { try work() } }
    }
  }

  // MARK: Child process

  /// Returns the anonymous memory, in bytes, of a process that has read the value, or done nothing,
  /// and retains the document.
  private static func memory(_ work: String, _ file: String) throws -> Double {
    let output = try ChildProcess(["find-once", work, file]).waitForOutput()
    guard let bytes = Double(output.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw BenchmarkError("unexpected output of the process: \(output)")
    }
    return bytes
  }

  /// Reads the value from the file named by the second argument, unless the first argument is
  /// `nothing`, and prints the memory in bytes.
  static func run(_ arguments: [String]) throws -> Int32 {
    guard arguments.count == 2 else { throw UsageError("find-once requires an action and a file") }
    let isFound = arguments[0] != "nothing"
    let document = isFound ? try BinaryPlistDocument(path: arguments[1]) : nil
    let value = try document?.value(at: path)
    try ensure((value != nil) == isFound, "the value is not found")
    let memory = try MemoryProcess.memory("RssAnon")
    print(memory)
    withExtendedLifetime((document, value)) {}
    return 0
  }
}
