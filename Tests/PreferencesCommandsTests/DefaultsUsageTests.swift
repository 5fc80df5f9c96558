import Foundation
import PropertyList
import TestSupport
import Testing

@Suite("The command line of defaults")
struct DefaultsUsageTests {
  private let defaults: Defaults
  private var folder: TemporaryFolder { defaults.folder }

  init() throws {
    defaults = try Defaults()
  }

  @Test("prints the help of the tool and of a verb")
  func help() throws {
    let help = try defaults.run(["--help"])
    #expect(help.text.hasPrefix("defaults: read and change preferences\n\nUsage: defaults "))
    #expect(help.text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    for words in [["-help"], ["help"], ["HELP"], ["-h"], ["-currentHost", "--help"]] {
      #expect(try defaults.run(words).text == help.text)
    }
    try defaults.expect("--version", output: "defaults (Larder) 0.1.0\n")
    let write = try defaults.run(["help", "write"])
    #expect(
      write.text.hasPrefix(
        "defaults write: Set the value of a key; given a dictionary in the place of the\nkey, "))
    #expect(write.text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    #expect(try defaults.run(["WRITE", "--help"]).text == write.text)
  }

  static let refused: [(words: [String], error: String, status: Int32)] = [
    ([], "no command is given", 1),
    (["reed"], "unrecognized command: reed; did you mean read?", 1),
    (["help", "wriet"], "unrecognized command: wriet; did you mean write?", 1),
    (["-x", "read"], "unrecognized option: -x", 1),
    (["read", "D", "k", "l"], "too many arguments; expected read [domain [key]]", 1),
    (["read-type"], "too few arguments; expected read-type domain key", 1),
    (["read-type", "D"], "too few arguments; expected read-type domain key", 1),
    (["write", "D"], "too few arguments; expected write domain key value...", 1),
    (["domains", "D"], "too many arguments; expected domains", 1),
    (["read", "-app"], "-app needs a program", 1),
    (["read", "-D"], "unrecognized domain: -D; expected a name, a path, -g or -app", 1),
    (["-host"], "-host needs name", 1),
    (["-host", "a/b", "read"], "-host needs the name of a host", 1),
    (
      ["-currentHost", "-host", "h", "read"], "-currentHost and -host cannot be given together", 1
    ),
    (["-currentHost", "read", "./D"], "a host does not go with the path of a file", 1),
    (["-currentHost", "layers", "D", "k"], "a host does not go with layers", 2),
    (["layers", "D"], "too few arguments; expected layers domain key", 2),
  ]

  @Test("rejects malformed command lines", arguments: refused)
  func usage(words: [String], error: String, status: Int32) throws {
    try defaults.expect(
      words: words, error: "defaults: \(error) (see defaults help)\n", status: status)
    #expect(try folder.names() == ["system", "user"])
    #expect(try defaults.shell("find user -type f").text == "")
  }

  @Test("verbs are case-insensitive")
  func verbCase() throws {
    try defaults.expect("WRITE", "D", "k", "v")
    try defaults.expect("Read", "D", "k", output: "v\n")
    try defaults.expect("Read-Type", "D", "k", output: "Type is string\n")
    try defaults.expect("REMOVE", "D", "k")
    try defaults.expect("DOMAINS", output: "\n")
  }
}
