import Foundation
import PropertyList
import TestSupport
import Testing

@Suite("git")
struct GitTests {
  private let folder: TemporaryFolder

  /// A repository with the settings of the page about the tools.
  init() throws {
    folder = try TemporaryFolder()
    try folder.write("*.plist diff=plist\n", to: ".gitattributes")
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(
      contentsOf: package.appendingPathComponent("Sources/Larder.docc/Tools.md"), encoding: .utf8)
    let setting = try #require(page.firstMatch(of: /git config --global diff.+/)).output
    let setup = try git("git init -q . && \(setting)")
    try #require(setup.status == 0, "\(setup.error)")
  }

  /// Runs a shell command with an empty configuration of git, and plutil in the search path.
  private func git(_ command: String) throws -> BuiltProgram.Run {
    try Plutil.shell(
      """
      export HOME=$PWD GIT_CONFIG_NOSYSTEM=1 PATH="$(dirname "$PLUTIL"):$PATH"
      \(command)
      """, in: folder)
  }

  private static let plist: @Sendable (String) throws -> Data = {
    try Plist.write(["name": .string($0), "size": 12], as: .binary)
  }

  @Test("shows binary property lists as text", arguments: ["a.plist", "-a.plist"])
  func textconv(name: String) throws {
    try folder.write(Self.plist("old"), to: name)
    _ = try git("git add .")
    try folder.write(Self.plist("new"), to: name)
    let difference = try git("git diff --no-color | tail -n +5")
    #expect(
      difference.text == """
        @@ -1,4 +1,4 @@
         {
        -  "name" => "old"
        +  "name" => "new"
           "size" => 12
         }

        """)
  }

  @Test("shows files that are no property lists as they are, and the others all the same")
  func unreadable() throws {
    for name in ["a.plist", "b.plist", "c.plist"] {
      try folder.write(Self.plist("old"), to: name)
    }
    _ = try git("git add .")
    try folder.write("", to: "a.plist")
    try folder.write("<<<<<<< ours\n{}\n=======\n>>>>>>> theirs\n", to: "b.plist")
    try folder.write(Self.plist("new"), to: "c.plist")
    let difference = try git("git diff --no-color | grep -v '^index'")
    #expect(difference.error == "")
    #expect(
      difference.text == """
        diff --git a/a.plist b/a.plist
        --- a/a.plist
        +++ b/a.plist
        @@ -1,4 +0,0 @@
        -{
        -  "name" => "old"
        -  "size" => 12
        -}
        diff --git a/b.plist b/b.plist
        --- a/b.plist
        +++ b/b.plist
        @@ -1,4 +1,4 @@
        -{
        -  "name" => "old"
        -  "size" => 12
        -}
        +<<<<<<< ours
        +{}
        +=======
        +>>>>>>> theirs
        diff --git a/c.plist b/c.plist
        --- a/c.plist
        +++ b/c.plist
        @@ -1,4 +1,4 @@
         {
        -  "name" => "old"
        +  "name" => "new"
           "size" => 12
         }

        """)
  }
}
