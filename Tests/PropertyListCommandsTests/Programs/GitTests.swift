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
        @@ -4,7 +4,7 @@ format: binary
         <plist version="1.0">
         <dict>
         \t<key>name</key>
        -\t<string>old</string>
        +\t<string>new</string>
         \t<key>size</key>
         \t<integer>12</integer>
         </dict>

        """)
  }

  @Test("shows an inserted element of a binary array as one line, and a conversion as another")
  func elements() throws {
    try folder.write(Plist.write(["a", "b", "c"], as: .binary), to: "a.plist")
    _ = try git("git add .")
    try folder.write(Plist.write(["new", "a", "b", "c"], as: .xml), to: "a.plist")
    let difference = try git("git diff --no-color -U0 | tail -n +5")
    #expect(
      difference.text == """
        @@ -1 +1 @@
        -format: binary
        +format: XML, UTF-8
        @@ -5,0 +6 @@ format: binary
        +\t<string>new</string>

        """)
  }

  @Test("shows changed comments, also in UTF-16")
  func comments() throws {
    try folder.write("*.strings diff=plist\n", to: ".gitattributes")
    func table(_ comment: String) throws -> Data {
      try #require("/* \(comment) */\n\"a\" = \"b\";\n".data(using: .utf16))
    }
    try folder.write(table("old"), to: "a.strings")
    _ = try git("git add .")
    try folder.write(table("é"), to: "a.strings")
    let difference = try git("git diff --no-color | tail -n +5")
    #expect(
      difference.text == """
        @@ -1,3 +1,3 @@
         format: OpenStep text, UTF-16LE with a byte-order mark
        -/* old */
        +/* é */
         "a" = "b";

        """)
  }

  @Test("shows values that XML has no type for")
  func untyped() throws {
    try folder.write(Plist.write(["n": .null, "s": .set([1])], as: .binary), to: "a.plist")
    try git("plutil -textconv a.plist").expect(
      output: """
        format: binary
        {
          "n" : null,
          "s" : {
            "$set" : [
              1
            ]
          }
        }

        """)
    try git("plutil -textconv missing.plist").expect(
      error:
        "missing.plist: file does not exist or is not readable or is not a regular file (No such file or directory)\n",
      status: 1)
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
    let difference = try git("git diff --no-color -U0 | grep '^[+]'")
    #expect(difference.error == "")
    #expect(
      difference.text == """
        +++ b/a.plist
        +++ b/b.plist
        +<<<<<<< ours
        +{}
        +=======
        +>>>>>>> theirs
        +++ b/c.plist
        +\t<string>new</string>

        """)
  }
}
