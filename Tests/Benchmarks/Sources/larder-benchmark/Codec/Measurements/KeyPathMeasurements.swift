import Foundation
import PropertyList

/// How long it takes to find one value in the file of the library without reading the rest, and how
/// much memory.
enum KeyPathMeasurements {
  /// The name of a track amid the library.
  private static let path = PlistKeyPath(components: ["Tracks", "21000", "Name"])

  static func measure(_ workplace: CodecWorkplace, _ findings: inout Findings) throws {
    let document = try workplace.document(SampleDocuments.library)
    let file = document.path(.binary)
    let expected = try Plist.read(document.binary).value[path]
    try ensure(expected != nil && find(in: file) == expected, "another value is found")

    Terminal.show("key-path")
    let timings = try takeTimes(
      of: [
        contender("Larder", workplace) { consume(try find(in: file)) },
        contender("Larder, all read", workplace) {
          let data = try Data(contentsOf: URL(fileURLWithPath: file))
          consume(try Plist.read(data).value[path])
        },
        contender("Foundation, all read", workplace) {
          let data = try Data(contentsOf: URL(fileURLWithPath: file))
          let root = try FoundationCodec.read(data) as? [String: Any]
          let tracks = root?["Tracks"] as? [String: Any]
          consume((tracks?["21000"] as? [String: Any])?["Name"])
        },
      ], within: workplace.budget)
    findings.add("time", timings[0], .atMost(500_000))
    for timing in timings.dropFirst() {
      findings.add(
        "time", timing,
        ratio: ("\(timing.name) / Larder", timing.median / timings[0].median))
    }

    let samples = try (0..<(workplace.options.isQuick ? 1 : 3)).map { _ in
      try memory("find", file) - memory("nothing", file)
    }
    findings.add(
      "memory", Timing(name: "Larder", samples: samples), unit: .bytes, .atMost(1_048_576))
  }

  private static func find(in file: String) throws -> PlistValue? {
    try BinaryPlistDocument(path: file).value(at: path)
  }

  private static func contender(
    _ name: String, _ workplace: CodecWorkplace, _ work: @escaping () throws -> Void
  ) throws -> Contender {
    try .timed(name, workplace.budget) { count in
      try Clock.processor.time { for _ in 0..<count { try work() } }
    }
  }

  // MARK: The process

  /// The memory of a process that has found the value, or done nothing, and still has the document, in
  /// bytes. The pages of programs, which the kernel shares among processes, do not count.
  private static func memory(_ work: String, _ file: String) throws -> Double {
    let output = try ChildProcess(["find-once", work, file], isRead: true).waitForOutput()
    guard let bytes = Double(output.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw BenchmarkError("the process says \(output)")
    }
    return bytes
  }

  /// Finds the value in the file that is the second argument, where the first one is not `nothing`,
  /// and prints the memory in bytes.
  static func run(_ arguments: [String]) throws -> Int32 {
    guard arguments.count == 2 else { throw UsageError("find-once needs what to do and a file") }
    let isFound = arguments[0] != "nothing"
    let document = isFound ? try BinaryPlistDocument(path: arguments[1]) : nil
    let value = try document?.value(at: path)
    try ensure((value != nil) == isFound, "no value is found")
    let memory = try MemoryProcess.memory("RssAnon")
    print(memory)
    withExtendedLifetime((document, value)) {}
    return 0
  }
}
