import Foundation
import PropertyList
import TestSupport
import Testing

@Suite("plutil, installed manifests")
struct PlutilInstalledManifestTests {
  private let fixture: ManifestFolder
  private var folder: TemporaryFolder { fixture.folder }
  private static let text = """
    {
      "tabWidth": 4,
      "window": {
        "width": 640
      },
      "font": "Mono",
      "token": "hunter5"
    }

    """

  init() throws {
    fixture = try ManifestFolder()
    try fixture.folder.write(Self.text, to: "org.example.editor.plist")
  }

  private var manifest: String {
    folder.path("data/preferences/manifests/org.example.editor.plist")
  }

  @Test("-info prints titles and descriptions")
  func information() throws {
    let run = try fixture.shell("$PLUTIL -info org.example.editor.plist")
    #expect(
      run.text.hasPrefix(
        """
        org.example.editor.plist:
          seems to be: preferences of domain org.example.editor
          title: Editor
          description: A text editor.
          manifest: \(manifest)
          format: JSON, UTF-8

        """))
    #expect(
      run.text.hasSuffix(
        """
          described keys:
            tabWidth: Tab width. Columns of a tab.
            font: Any -- font--
            window: Window

        """))
    let json = try fixture.shell("$PLUTIL -info --json org.example.editor.plist").text
    #expect(
      json.contains(
        #"""
        "title":"Editor","description":"A text editor.","manifest":"\#(manifest.replacing("/", with: #"\/"#))","describedKeys":[{"name":"tabWidth","title":"Tab width","description":"Columns of a tab."},{"name":"font","description":"Any -- font--"},{"name":"window","title":"Window"}]
        """#.replacing("\n", with: "")))
  }

  @Test("-info tells why a manifest cannot be read, and does not describe a manifest by itself")
  func oddities() throws {
    let run = try fixture.shell(
      "echo '(' > data/preferences/manifests/org.example.editor.plist; $PLUTIL -info org.example.editor.plist"
    )
    #expect(run.text.contains("  manifest: \(manifest): line 1 column 1: "))
    #expect(try fixture.shell("$PLUTIL -info \(manifest)").text.contains("  manifest: ") == false)
  }

  @Test("-inspect has titles, descriptions and differences from the default, and no secret values")
  func inspection() throws {
    let page = InspectedPage(
      try fixture.shell("$PLUTIL -inspect -o - org.example.editor.plist").output)
    let settings = try #require(page.document()["settings"] as? [String: Any])
    #expect(settings["title"] as? String == "Editor")
    #expect(settings["description"] as? String == "A text editor.")
    let keys = try #require(settings["keys"] as? [[String: Any]])
    #expect(
      keys.map { ($0["path"] as? [String] ?? []).joined(separator: ".") } == [
        "tabWidth", "theme", "font", "window", "window.width", "window.title", "recent", "proxy",
        "token", "account", "account.pin", "wrap", "old",
      ])
    #expect(keys[0]["title"] as? String == "Tab width")
    #expect(
      keys[0]["facts"] as? [[String]] == [
        ["type", "integer"], ["range", "1 to 16 columns"], ["default", "4"], ["example", "8"],
        ["targets", "user"],
      ])
    #expect(keys[0]["value"] as? String == "4 columns")
    #expect(
      keys.map { $0["isSet"] as? Bool ?? false }.prefix(6) == [
        true, false, true, true, true, false,
      ])
    #expect(
      keys.filter { $0["differs"] as? Bool == true }.map { ($0["path"] as? [String])?.last }
        == ["font", "width", "token"])
    #expect(keys[8]["value"] as? String == "secret")
    #expect(page.tree()["texts"] as? [String] == ["4", "640", "Mono", "secret"])
    #expect(!page.html.contains("hunter"))
    let facts = try #require(page.document()["facts"] as? [[String]])
    #expect(facts.contains(["title", "Editor"]))
  }

  @Test("-inspect leaves out the bytes of a file with secret values")
  func secretBytes() throws {
    let binary = try fixture.shell(
      "$PLUTIL -convert binary1 org.example.editor.plist; $PLUTIL -inspect -o - org.example.editor.plist"
    )
    let page = InspectedPage(binary.output)
    #expect(page.document()["bytes"] == nil)
    #expect(page.tree()["texts"] as? [String] != nil)
    #expect(!page.html.contains("hunter"))
  }

  @Test("-edit shows descriptions as comments, which are not saved")
  func editing() throws {
    let text = """
      {
        // mine
        tabWidth = 4;
        window = {
          width = 640;
        };
        token = hunter5;
      }

      """
    try folder.write(text, to: "org.example.editor.plist")
    try EditorScript.write(
      [
        #"sed -i 's/= 640/= ;/; /# Window/d' "$1""#,
        #"sed -i 's/= ;;/= 800;/; s/mine/yours/' "$1""#,
      ], in: folder)
    try EditorManifest.install(in: folder)
    let terminal = try PseudoTerminal(
      Plutil.program.path, ["-edit", "org.example.editor.plist"], in: folder,
      environment: [
        "TERM": "dumb", "EDITOR": EditorScript.command, "VISUAL": "", "TMPDIR": folder.path,
        "XDG_DATA_HOME": folder.path("data"),
      ])
    try terminal.expect("org.example.editor.plist: line 5 column ")
    try terminal.expect("Edit again? [y/n] ")
    #expect(
      try folder.text("seen1") == """
        //# Editor. A text editor.
        {
          // mine
          //# Tab width. Columns of a tab. integer, 1 to 16 columns, default 4.
          tabWidth = 4;
          //# Window. dictionary.
          window = {
            //# integer, required, default 800.
            width = 640;
          };
          //# string.
          token = hunter5;
        }

        """)
    try terminal.send("y\r")
    try terminal.expect("- window.width: \"640\"\r\n+ window.width: \"800\"\r\n")
    #expect(try terminal.exitStatus() == 0)
    // The number of the line is the one in the editor.
    #expect(try folder.text("seen2").hasPrefix("//# line 10 column "))
    #expect(
      try folder.text("org.example.editor.plist")
        == text.replacing("640", with: "800").replacing("mine", with: "yours"))
  }
}
