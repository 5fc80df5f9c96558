import Foundation
import PropertyList
import TestSupport
import Testing

extension ProcessTests {
  @Suite("Files that the programs refuse") struct RefusedFileTests {
    let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
      // A file whose name is not UTF-8, beside a file that must not be taken for it.
      #expect(
        try shell("cp \"$1\" $'d\\377.plist'; mkdir user; cp \"$1\" $'user/d\\377.plist'").status
          == 0)
    }

    /// Runs a command where `plutil` and the others are functions. `$1` is a property list.
    private func shell(_ command: String) throws -> BuiltProgram.Run {
      let source = try TemporaryFolder()
      try source.write(Plist.write(["k": "v"], as: .xml), to: "source")
      let programs = ["plutil", "PlistBuddy", "defaults"].map { name in
        "\(name)() { '\(BuiltProgram(name).path)' \"$@\"; }; "
      }
      return try BuiltProgram("plutil").run(
        "/bin/bash", ["-c", programs.joined() + command, "bash", source.path("source")], in: folder)
    }

    @Test(
      "A path that is not UTF-8 is refused as such, and not as one where no file is",
      arguments: [
        "plutil -lint $'d\\377.plist'", "plutil -p $'d\\377.plist'",
        "plutil -extract k raw $'d\\377.plist'", "plutil -convert binary1 $'d\\377.plist'",
        "plutil -create xml1 $'e\\377.plist'", "PlistBuddy -c Print $'d\\377.plist'",
        "PlistBuddy -c 'Set k x' $'d\\377.plist'", "defaults read \"$PWD\"/$'d\\377.plist'",
        "defaults write \"$PWD\"/$'d\\377.plist' k x",
        "XDG_CONFIG_HOME=\"$PWD\"/$'x\\377' defaults write d k x",
        "XDG_CONFIG_HOME=\"$PWD\"/$'x\\377' defaults read d k",
        "XDG_CONFIG_HOME=\"$PWD\"/$'x\\377' defaults domains",
        "XDG_CONFIG_HOME=\"$PWD/user\" defaults read",
      ])
    func undecodable(command: String) throws {
      let run = try shell(command)
      #expect(run.error.contains(" is not UTF-8"), "\(run.error)")
      #expect(run.status == 1)
      #expect(try shell("cmp \"$1\" $'d\\377.plist' && ls | wc -l").text == "2\n")
    }

    @Test("A domain whose name is not UTF-8 is listed")
    func domains() throws {
      let run = try shell("XDG_CONFIG_HOME=\"$PWD/user\" defaults domains")
      #expect(run.text == "d\u{FFFD}\n")
    }

    @Test(
      "A file of 3 GiB is refused before it is read",
      arguments: [
        "plutil -lint big.plist", "plutil -convert xml1 big.plist", "plutil -remove k big.plist",
        "PlistBuddy -c Print big.plist", "defaults read \"$PWD/big.plist\"",
        "defaults write \"$PWD/big.plist\" k x", "defaults import d big.plist",
      ])
    func sparse(command: String) throws {
      // Reading it would take more memory than the machine has.
      let run = try shell("truncate -s 3G big.plist; ulimit -v 2000000; \(command)")
      // plutil -lint prints its findings to standard output.
      let report = run.error + run.text
      #expect(report.contains(": the file is larger than 2147483648 bytes\n"), "\(report)")
      #expect(run.status == 1)
    }
  }
}
