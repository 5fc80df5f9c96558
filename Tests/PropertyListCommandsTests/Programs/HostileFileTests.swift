import Foundation
import PropertyList
import TestSupport
import Testing

/// Every program, given a hostile file, ends with status 0 or 1 after a bounded time, within 64 MiB
/// plus 64 times the size of the file, and without a file that is half changed.
@Suite("Programs on hostile files")
struct HostileFileTests {
  /// Commands that only read the file `hostile.plist`.
  private static let looks: [[String]] = [
    ["plutil", "-s", "-lint"], ["plutil", "-type", "a.b"], ["plutil", "-extract", "a", "raw"],
    ["plutil", "-p"],
    ["plutil", "-convert", "xml1", "-s", "-o", "-"],
    ["plutil", "-convert", "json", "--lossy", "-s", "-o", "-"],
    ["plutil", "-convert", "json", "-r", "--lossy", "-s", "-o", "-"],
    ["plutil", "-convert", "openstep", "--lossy", "-s", "-o", "-"],
    ["plutil", "-convert", "swift", "-s", "-o", "-"],
    ["plutil", "-convert", "objc", "-s", "-o", "-"],
    ["PlistBuddy", "-c", "Print"], ["PlistBuddy", "-x", "-c", "Print"], ["defaults", "read"],
  ]

  /// Commands that change the file if they succeed.
  private static let changes: [[String]] = [
    ["plutil", "-convert", "binary1", "-s"], ["plutil", "-convert", "xml1", "-s"],
    ["plutil", "-replace", "new", "-string", "x", "-s"],
    ["PlistBuddy", "-c", "Add :new string x"], ["defaults", "write"],
  ]

  /// The words of a command after the name of the program, with the file in its place.
  private static func arguments(_ words: [String], file: String) -> [String] {
    switch (words[0], words[1]) {
    case ("defaults", "read"): ["read", file]
    case ("defaults", _): ["write", file, "new", "x"]
    default: Array(words.dropFirst()) + [file]
    }
  }

  private static let files = TestScale.share(of: HostileFile.all, one: 9)

  @Test("A program that looks at one ends within bounds", arguments: files)
  func looking(hostile: HostileFile) throws {
    let folder = try TemporaryFolder()
    try folder.write(hostile.data, to: "hostile.plist")
    let commands = [Self.looks[0]] + share(of: Self.looks[1...], for: hostile)
    let runs = try run(commands, in: folder)
    for (words, run) in zip(commands, runs) {
      expectBounded(run, words, on: hostile)
      // Lookups may succeed, because they read only the parts that they need.
      if runs[0].status == 1, !["-type", "-extract"].contains(words[1]) {
        #expect(run.status == 1, "\(words)")
      }
    }
    #expect(try folder.data("hostile.plist") == hostile.data)
    #expect(try folder.names() == ["hostile.plist"])
  }

  @Test("A program that changes one leaves a whole file", arguments: files)
  func changing(hostile: HostileFile) throws {
    for words in share(of: Self.changes[...], for: hostile) {
      let folder = try TemporaryFolder()
      try folder.write(hostile.data, to: "hostile.plist")
      let run = try #require(try run([words], in: folder).first)
      expectBounded(run, words, on: hostile)
      let data = try folder.data("hostile.plist")
      if run.status == 1 {
        #expect(data == hostile.data, "\(words)")
      } else {
        #expect(throws: Never.self, "\(words)") { try Plist.read(data) }
        #expect(data.count <= 16 << 20 + 32 * hostile.data.count, "\(words)")
      }
      #expect(
        try Set(folder.names()).isSubset(of: ["hostile.plist", ".hostile.plist.lock"]),
        "\(words)")
    }
  }

  // MARK: Runs

  /// The commands that are run on a file: all in the long tests, and otherwise a sixth of them,
  /// another one for each of six files.
  private func share(of commands: ArraySlice<[String]>, for hostile: HostileFile) -> [[String]] {
    if TestScale.isLong { return Array(commands) }
    let turn = Self.files.firstIndex { $0.name == hostile.name } ?? 0
    return zip(commands, turn...).filter { $0.1.isMultiple(of: 6) }.map(\.0)
  }

  private struct Run: Decodable {
    var status: Int
    var memory: Int
    var seconds: Double
    var error: String
  }

  private func expectBounded(_ run: Run, _ words: [String], on hostile: HostileFile) {
    #expect(run.status == 0 || run.status == 1, "\(words): \(run)")
    #expect(run.memory <= 64 << 20 + 64 * hostile.data.count, "\(words): \(run)")
    // Unbounded work takes minutes; a lower limit would fail on a busy machine.
    #expect(run.seconds < 100, "\(words): \(run)")
    // The errors of -lint go to standard output.
    if run.status == 1, !words.contains("-lint") { #expect(!run.error.isEmpty, "\(words)") }
  }

  /// Runs commands one after another, and measures the peak memory of each, in bytes.
  ///
  /// Linux includes the memory of a process before `exec`, so the test process, which is large,
  /// cannot start them itself.
  private func run(_ commands: [[String]], in folder: TemporaryFolder) throws -> [Run] {
    let script = """
      import json, os, sys, time
      commands = json.load(sys.stdin)
      for command in commands:
          start = time.monotonic()
          read, write = os.pipe()
          process = os.posix_spawn(command[0], command, os.environ, file_actions=[
              (os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0),
              (os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0),
              (os.POSIX_SPAWN_DUP2, write, 2), (os.POSIX_SPAWN_CLOSE, read),
              (os.POSIX_SPAWN_CLOSE, write)])
          os.close(write)
          error = b""
          while chunk := os.read(read, 65536):
              error = (error + chunk)[:2000]
          os.close(read)
          _, status, usage = os.wait4(process, 0)
          print(json.dumps({
              "status": os.waitstatus_to_exitcode(status), "memory": usage.ru_maxrss * 1024,
              "seconds": time.monotonic() - start, "error": error.decode(errors="replace")}))
      """
    var program = Plutil.program
    program.environment["XDG_CONFIG_HOME"] = folder.path("config")
    let lines = commands.map { words in
      [BuiltProgram(words[0]).path]
        + Self.arguments(words, file: folder.path("hostile.plist"))
    }
    let run = try program.run(
      "/usr/bin/env", ["python3", "-c", script], in: folder,
      input: try JSONEncoder().encode(lines))
    try #require(run.status == 0, "\(run.error)")
    return try run.text.split(separator: "\n").map {
      try JSONDecoder().decode(Run.self, from: Data($0.utf8))
    }
  }

  // MARK: Many files at once

  /// Documents of one value of each kind, one for each format.
  private static let golden: [(PlistFormat, Data)] = PlistFormat.allCases.map { format in
    var value: PlistDictionary = [
      "a": ["b": ["text", "\u{E9}", []], "c": [:]], "d": "x & y \u{1F600}",
    ]
    if format != .openStep { value["n"] = [1, -1, 0.5, true, .unsignedInteger(.max)] }
    if format == .xml || format == .binary {
      value["o"] = [.date(Date(timeIntervalSinceReferenceDate: 0)), .data(Data([1, 2])), .uid(7)]
    }
    guard let data = try? Plist.write(.dictionary(value), as: format) else {
      preconditionFailure("the value fits all formats")
    }
    return (format, data)
  }

  @Test(
    "Each truncation of a document, and each byte with a flipped bit, is refused or read, by all commands",
    arguments: golden)
  func damage(format: PlistFormat, data: Data) throws {
    let folder = try TemporaryFolder()
    var names: [String] = []
    func add(_ damaged: Data) throws {
      names.append("\(names.count)")
      try folder.write(damaged, to: names[names.count - 1])
    }
    let indices = TestScale.share(of: data.indices, one: 12)
    for length in indices { try add(data.prefix(length)) }
    for index in indices {
      for bit in TestScale.isLong ? 0..<8 : index % 8..<index % 8 + 1 {
        var damaged = data
        damaged[index] ^= 1 << bit
        try add(damaged)
      }
    }
    for words in [
      ["-s", "-lint"], ["-p"], ["-type", "a.b"], ["-replace", "d", "-string", "x", "-s"],
      ["-convert", "binary1", "-s"], ["-convert", "xml1", "-s"],
      ["-convert", "openstep", "--lossy", "-s"], ["-convert", "json", "--lossy", "-s"],
    ] {
      let (run, memory) = try Plutil.measure(words + names, in: folder)
      #expect(run.status == 1, "\(words)")
      #expect(memory <= 64 << 20 + 64 * data.count, "\(words)")
    }
    #expect(try folder.names().count == names.count)
  }

  @Test("Shared containers are written as often as they occur, within reason")
  func sharedConversion() throws {
    let folder = try TemporaryFolder()
    let row: PlistValue = ["k": "v", "l": ["1", "2"]]
    let value: PlistValue = ["a": .array(Array(repeating: row, count: 10_000))]
    try folder.write(try Plist.write(value, as: .binary), to: "shared")
    #expect(try folder.data("shared").count < 21_000)
    for format in ["xml1", "json", "openstep", "binary1"] {
      #expect(try Plutil.run(["-convert", format, "shared"], in: folder).status == 0)
      #expect(try Plist.read(folder.data("shared")).value == value)
    }
  }

  @Test("A document that text would blow up is refused with the size, and kept")
  func refusal() throws {
    let folder = try TemporaryFolder()
    let bomb = try #require(HostileFile.all.first { $0.name == "a bomb just below the limit" })
    try folder.write(bomb.data, to: "bomb.plist")
    let refusal =
      "the text would be larger than 16777216 bytes and more than 32 times the binary form"
    for format in ["xml1", "json", "swift"] {
      let run = try Plutil.run(["-convert", format, "bomb.plist"], in: folder)
      #expect(run.status == 1)
      #expect(run.error.hasPrefix("bomb.plist: \(refusal)"), "\(run.error)")
    }
    #expect(try folder.data("bomb.plist") == bomb.data)
    try folder.write(bomb.data, to: "copy.plist")
    try Plutil.program.expect(
      ["-diff", "bomb.plist", "copy.plist"], in: folder,
      error: "bomb.plist: the document contains more than 131072 values\n", status: 2)
    // In the binary format, shared values stay shared.
    try Plutil.program.expect(["-replace", "k", "-string", "v", "bomb.plist"], in: folder)
    #expect(try folder.data("bomb.plist").count < 2 * bomb.data.count)
  }
}
