import Foundation
import PropertyList
import TestSupport
import Testing

@Suite("defaults with the path of a text")
struct DefaultsTextTests {
  private let defaults: Defaults
  private var folder: TemporaryFolder { defaults.folder }

  init() throws {
    defaults = try Defaults()
  }

  @Test("keeps comments, order and layout")
  func text() throws {
    try folder.write(
      """
      <plist>
      <dict>
        <!-- the size -->
        <key>size</key> <integer>12</integer>
        <!-- a list -->
        <key>list</key>
        <array>
          <string>a</string> <!-- first -->
        </array>
        <key>window</key> <dict/>
      </dict>
      </plist>

      """, to: "f.plist")
    try defaults.expect("write", "./f", "size", "-int", "13")
    try defaults.expect("write", "./f", "list", "-array-add", "b")
    try defaults.expect("write", "./f", "window", "-dict-add", "width", "-int", "640")
    try defaults.expect("write", "./f.plist", "name", "x")
    #expect(
      try folder.text("f.plist") == """
        <plist>
        <dict>
          <!-- the size -->
          <key>size</key> <integer>13</integer>
          <!-- a list -->
          <key>list</key>
          <array>
            <string>a</string> <!-- first -->
            <string>b</string>
          </array>
          <key>window</key> <dict>
            <key>width</key> <integer>640</integer>
          </dict>
          <key>name</key> <string>x</string>
        </dict>
        </plist>

        """)
    try defaults.expect("delete", "./f", "list")
    try defaults.expect("rename", "./f", "size", "width")
    #expect(
      try folder.text("f.plist") == """
        <plist>
        <dict>
          <key>window</key> <dict>
            <key>width</key> <integer>640</integer>
          </dict>
          <key>name</key> <string>x</string>
          <key>width</key> <integer>13</integer>
        </dict>
        </plist>

        """)
    #expect(try folder.names() == ["f.plist", "system", "user"])
  }

  @Test("keeps OpenStep text and JSON")
  func formats() throws {
    try folder.write("{ /* a */ a = 1; }", to: "f.plist")
    try defaults.expect("write", "./f", "b", "2")
    #expect(try folder.text("f.plist") == "{ /* a */ a = 1; b = 2; }")
    try folder.write("{\n  \"a\": 1\n}\n", to: "f.plist")
    try defaults.expect("write", "./f", "b", "-array", "x")
    #expect(try folder.text("f.plist") == "{\n  \"a\": 1,\n  \"b\": [\n    \"x\"\n  ]\n}\n")
  }

  @Test("refuses a value that JSON or OpenStep text cannot hold, and keeps the format")
  func format() throws {
    for (text, words, problem) in [
      ("{ /* a */ a = 1; }", ["-int", "2"], "OpenStep text cannot represent integers"),
      ("{\"a\": 1}", ["-date", "2024-01-31"], "JSON cannot represent dates"),
    ] {
      try folder.write(text, to: "f.plist")
      try defaults.expect(
        words: ["write", "./f", "b"] + words,
        error: """
          Could not write domain ./f.plist; exiting
          ./f.plist: \(problem) (key path b); to store it, first run: plutil -convert xml1 ./f.plist

          """, status: 1)
      #expect(try folder.text("f.plist") == text)
    }
  }

  @Test("says so if XML becomes binary")
  func lost() throws {
    try folder.write("<plist><dict><!-- a --></dict></plist>", to: "f.plist")
    try defaults.expect(
      "write", "./f", "c", "\u{7}",
      error: """
        ./f.plist: warning: comments and layout are lost: XML cannot represent the character U+0007 \
        (key path c); the file is now binary

        """)
    #expect(try defaults.value(of: "f.plist") == ["c": "\u{7}"])
    // A binary file has nothing to lose.
    try defaults.expect("write", "./f", "d", "x")
    #expect(PlistFormat(detecting: try folder.data("f.plist")) == .binary)
  }

  @Test("leaves files alone that do not hold preferences, and null out of them")
  func refused() throws {
    let path = folder.path("f.plist")
    for (text, problem) in [
      ("[1]", "is not a dictionary of preferences"),
      ("{\"a\":null}", "is not a dictionary of preferences"), ("<plist>", "expected"),
    ] {
      try folder.write(text, to: "f.plist")
      let run = try defaults.run(["write", path, "k", "v"])
      #expect(run.status == 1)
      #expect(run.error.contains(problem), "\(run.error)")
      #expect(try folder.text("f.plist") == text)
    }
    try folder.write("{\"a\":1}", to: "f.plist")
    let run = try defaults.run(["write", path, "k", "[null]"])
    #expect(run.status == 1)
    #expect(try folder.text("f.plist") == "{\"a\":1}")
  }

  @Test("changes nothing where there is nothing to change")
  func unchanged() throws {
    try folder.write("{ a = 1; }", to: "f.plist")
    var before = stat()
    #expect(stat(folder.path("f.plist"), &before) == 0)
    try defaults.expect("write", "./f", "a", "1")
    var after = stat()
    #expect(stat(folder.path("f.plist"), &after) == 0)
    #expect(after.st_ino == before.st_ino)
  }

  @Test("loses no change of several processes")
  func processes() throws {
    try folder.write("{\n /* none */\n}", to: "f.plist")
    let run = try defaults.shell(
      "for i in $(seq 10); do $DEFAULTS write ./f key$i $i & done; wait")
    #expect(run.error == "")
    guard case .dictionary(let values) = try defaults.value(of: "f.plist") else {
      Issue.record("no dictionary")
      return
    }
    #expect(values.count == 10)
    #expect(try folder.text("f.plist").contains("/* none */\n"))
    #expect(try folder.names() == ["f.plist", "system", "user"])
  }
}
