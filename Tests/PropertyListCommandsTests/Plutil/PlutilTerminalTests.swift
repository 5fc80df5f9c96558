import Foundation
import TestSupport
import Testing

@Suite("plutil at a terminal")
struct PlutilTerminalTests {
  private let folder: TemporaryFolder
  private static let program = BuiltProgram("plutil").path

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(
      #"{"k": "v", "n": 1.5, "b": true, "list": [1], "e\u001b[2J": "\u001b]0;x\u0007"}"#, to: "a")
    try folder.write(#"{"k": "w", "n": 1.5, "b": true, "list": [1], "new": null}"#, to: "b")
  }

  /// The output of plutil at a terminal, and its exit status.
  private func show(
    _ arguments: [String], environment: [String: String] = [:]
  ) throws -> (text: String, status: Int32) {
    let terminal = try PseudoTerminal(
      Self.program, arguments, in: folder,
      environment: ["TERM": "xterm", "NO_COLOR": ""].merging(environment) { $1 })
    let status = try terminal.exitStatus()
    return (terminal.output.replacing("\r\n", with: "\n"), status)
  }

  private static let plain = #"""
    {
      "b" => true
      "e\u{1b}[2J" => "\u{1b}]0;x\u{7}"
      "k" => "v"
      "list" => [
        0 => 1
      ]
      "n" => 1.5
    }

    """#

  @Test("-p shows keys and values in colors, and no control characters of a document")
  func colors() throws {
    let run = try show(["-p", "a"])
    #expect(
      run.text
        == #"""
        {
          ^34m"b"$ => ^35mtrue$
          ^34m"e\u{1b}[2J"$ => ^32m"\u{1b}]0;x\u{7}"$
          ^34m"k"$ => ^32m"v"$
          ^34m"list"$ => [
            0 => ^36m1$
          ]
          ^34m"n"$ => ^36m1.5$
        }

        """#.replacing("^", with: "\u{1B}[").replacing("$", with: "\u{1B}[0m"))
    #expect(run.status == 0)
  }

  @Test("-diff shows removed and added values in colors")
  func differences() throws {
    let run = try show(["-diff", "a", "b"])
    #expect(
      run.text
        == #"""
        ^1m--- a$
        ^1m+++ b$
        ^31m- e\u{1b}[2J: "\u{1b}]0;x\u{7}"$
        ^31m- k: "v"$
        ^92m+ k: "w"$
        ^92m+ new: null$

        """#.replacing("^", with: "\u{1B}[").replacing("$", with: "\u{1B}[0m"))
    #expect(run.status == 1)
  }

  @Test(
    "nothing is colored if NO_COLOR is set or the terminal is dumb",
    arguments: [["NO_COLOR": "1"], ["TERM": "dumb"]])
  func declined(environment: [String: String]) throws {
    #expect(try show(["-p", "a"], environment: environment).text == Self.plain)
  }

  static let binary: [[String]] = [
    ["-extract", "list", "binary1", "a"], ["-extract", "", "binary1", "a"],
    ["-create", "binary1", "-"],
  ]

  @Test("binary output is refused unless -o - asks for it", arguments: binary)
  func binaryOutput(arguments: [String]) throws {
    let run = try show(arguments)
    #expect(
      run.text
        == "plutil: binary output is not written to a terminal; use -o - to write it anyway\n")
    #expect(run.status == 1)
    let forced = try show(arguments + ["-o", "-"])
    #expect(forced.text.hasPrefix("bplist00"))
    #expect(forced.status == 0)
  }

  @Test("binary output of standard input is refused, and goes through a pipe or into a file")
  func binaryOutputOfStandardInput() throws {
    let commands = [
      "\"$0\" -convert binary1 - < a",
      "\"$0\" -convert binary1 - < a | head -c 8",
      "\"$0\" -convert binary1 - < a > out; \"$0\" -insert new -string x - < out",
      "\"$0\" -convert binary1 -o /dev/stdout a | head -c 8",
    ]
    let refusal =
      "plutil: binary output is not written to a terminal; use -o - to write it anyway\n"
    let outputs = [refusal, "bplist00", refusal, "bplist00"]
    for (command, output) in zip(commands, outputs) {
      let terminal = try PseudoTerminal("/bin/sh", ["-c", command, Self.program], in: folder)
      _ = try terminal.exitStatus()
      #expect(terminal.output.replacing("\r\n", with: "\n") == output)
    }
    #expect(try folder.data("out").starts(with: Data("bplist00".utf8)))
  }

  @Test("nothing is colored in a pipe or a file")
  func piped() throws {
    let command = "\"$0\" -p a > out; \"$0\" -p a | cat"
    let terminal = try PseudoTerminal(
      "/bin/sh", ["-c", command, Self.program], in: folder,
      environment: ["TERM": "xterm", "NO_COLOR": ""])
    #expect(try terminal.exitStatus() == 0)
    #expect(terminal.output.replacing("\r\n", with: "\n") == Self.plain)
    #expect(try folder.text("out") == Self.plain)
  }

  @Test("a long activity is shown after two seconds, and erased at its end")
  func progress() throws {
    try #require(mkfifo(folder.path("pipe"), 0o600) == 0)
    let terminal = try PseudoTerminal(
      "/bin/sh", ["-c", "\"$0\" -lint - < pipe", Self.program], in: folder)
    let writer = try FileHandle(forUpdating: URL(fileURLWithPath: folder.path("pipe")))
    try terminal.expect("\r\u{1B}[Kreading <stdin>, 2 s")
    try writer.write(contentsOf: Data("{ a = b; }".utf8))
    try writer.close()
    try terminal.expect("\r\u{1B}[K<stdin>: OK\r\n")
    #expect(try terminal.exitStatus() == 0)
  }

  @Test("no activity is shown while the terminal is read")
  func typing() throws {
    let terminal = try PseudoTerminal(Self.program, ["-lint", "-"], in: folder)
    let (start, wait) = (ContinuousClock.now, Duration.seconds(3))
    while ContinuousClock.now - start < wait { usleep(100_000) }
    try terminal.send("{ a = b; }\r\u{4}")
    #expect(try terminal.exitStatus() == 0)
    #expect(terminal.output == "{ a = b; }\r\n<stdin>: OK\r\n")
  }
}
