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
        """
        defaults write: Set the value of a key, or replace a whole domain

        Usage: defaults [-currentHost] [-host name] [--root folder] write [--force]
               domain key value...
               defaults [-currentHost] [-host name] [--root folder] write [--force]
               domain '{...}'

        Arguments:
          --force                 Write the value even if the manifest of the domain
                                  does not allow it
          domain                  A name, such as org.example.Editor; -g for what all
                                  applications share; -app and an application; or the
                                  path of a property list
          key                     A key at the top level of the domain
          value                   A string, a property list, or a type followed by a
                                  value
          '{...}'                 A dictionary, in any format, that replaces everything
                                  in the domain

        Options:

        """))
    #expect(write.text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    #expect(try defaults.run(["WRITE", "--help"]).text == write.text)
  }

  @Test("explains each argument of each command, and has an example of it")
  func completeHelp() throws {
    let help = try defaults.run(["help"]).text
    let commands = try #require(help.firstMatch(of: /\nCommands:\n((?s).*?)\n\n/)).output.1
    var names: Set<Substring> = []
    for line in commands.split(separator: "\n") {
      let words = line.split { " []'{}.".contains($0) }
      guard line.hasPrefix("  "), !line.hasPrefix("   ") else { continue }
      // An option is explained with its argument.
      let form = line.dropFirst(2).split(separator: "  ")[0].replacing(/(-[a-z]+) [a-z]+/) { $0.1 }
      names.insert(words[0])
      let text = try defaults.run(["help", String(words[0])]).text
      #expect(text.contains("\nExamples:\n  "))
      for name in form.split(separator: " ").dropFirst() {
        let name = name.replacing("[", with: "").replacing("]", with: "")
          .replacing(/([a-z])\.\.\./) { $0.1 }
        #expect(text.contains("\n  \(name) "), "\(words[0]) \(name)")
      }
    }
    #expect(names.count == 20)
  }

  @Test("the manual page lists the differences from macOS")
  func differences() throws {
    let manual = try defaults.run(["--manual"]).text
    let section = try #require(
      manual.split(separator: "\n.SH ").first { $0.hasPrefix("DIFFERENCES FROM MACOS\n") })
    #expect(manual.components(separatedBy: "A key at the top level of the domain").count == 2)
    for topic in [
      "cfprefsd", "/etc/machine", "bundles", "host takes", "relative", "out of range",
      "eight bytes",
      "A lone digit", "JSON", "rename", "deletes a missing key", "is not a property list", "export",
      "exits with 255", "additions",
    ] {
      #expect(section.contains(topic), "\(topic)")
    }
  }

  static let refused: [(words: [String], error: String, status: Int32)] = [
    ([], "no command given", 1),
    (["reed"], "unrecognized command: reed; did you mean read?", 1),
    (["help", "wriet"], "unrecognized command: wriet; did you mean write?", 1),
    (["-x", "read"], "unrecognized option: -x", 1),
    (["read", "D", "k", "l"], "too many arguments; usage: read [domain [key]]", 1),
    (["read-type"], "too few arguments; usage: read-type domain key", 1),
    (["read-type", "D"], "too few arguments; usage: read-type domain key", 1),
    (
      ["write", "D"],
      "too few arguments; usage: write [--force] domain key value... or write [--force] domain '{...}'",
      1
    ),
    (["domains", "D"], "too many arguments; usage: domains", 1),
    (["read", "-app"], "-app needs an application", 1),
    (
      ["read", "-D"],
      "unrecognized domain: -D; expected a name, a path, -g or -app; before a name that begins "
        + "with a dash, put --", 1
    ),
    (["-host"], "-host needs a name", 1),
    (["-host", "a/b", "read"], "-host needs the name or identifier of a machine", 1),
    (["-currentHost", "-host", "h", "read"], "-currentHost and -host cannot be used together", 1),
    (["-currentHost", "read", "./D"], "-currentHost and -host cannot be used with a path", 1),
    (["-currentHost", "layers", "D", "k"], "-currentHost and -host cannot be used with layers", 2),
    // A page shows the values that applications on this host read.
    (["-currentHost", "inspect", "D"], "-currentHost and -host cannot be used with inspect", 2),
    (["layers", "D"], "too few arguments; usage: layers domain key", 2),
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
