import Foundation
import TestSupport
import Testing

@Suite("plutil -describe")
struct PlutilDescribeTests {
  private let fixture: ManifestFolder

  init() throws {
    fixture = try ManifestFolder()
  }

  /// Descriptions, each of the key path that it begins with, and one of the whole manifest.
  static let descriptions = """
    tabWidth: Tab width
      description: Columns of a tab.
      type: integer
      range: 1 to 16 columns
      default: 4
      example: 8
      targets: user

    theme
      type: string
      allowed values: "light" (Light), "dark" (Dark)
      default: "dark"
      note: a -- b

    font
      description: Any -- font--
      type: string
      suggested values: "Mono"

    window: Window
      type: dictionary
      keys:
        width: integer
        title: string

    window.width
      type: integer
      default: 800
      required: always

    recent
      type: array of strings
      count: at most 3 elements

    recent.0
      type: string
      pattern: /.*

    proxy
      type: string
      required: when font is present
      does not apply: when theme is "light"

    token
      type: string
      allowed values: secret
      default: secret
      sensitive: yes

    account
      type: dictionary
      default: secret
      keys:
        pin: string

    old
      type: string
      first version: 1.0
      deprecated since: 2.0

    org.example.editor: Editor
      description: A text editor.
      keys:
        PayloadUUID: string
        tabWidth: integer, Tab width
        theme: string
        font: string
        window: dictionary, Window
        recent: array
        proxy: string
        token: string
        account: dictionary
        wrap: boolean
        old: string
    """.components(separatedBy: "\n\n")

  @Test("prints what a manifest tells about a key", arguments: descriptions)
  func describe(text: String) throws {
    let path = text.prefix { $0 != ":" && $0 != "\n" }
    try fixture.expect(
      ["-describe", path == "org.example.editor" ? "" : String(path), "editor.manifest"],
      output: text + "\n")
  }

  @Test("prints objects with --json")
  func json() throws {
    try fixture.expect(
      ["-describe", "tabWidth", "--json", "editor.manifest"],
      output: #"""
        {"file":"editor.manifest","name":"tabWidth","title":"Tab width","description":"Columns of a tab.","type":"integer","minimum":1,"maximum":16,"unit":"columns","default":4,"example":8,"targets":["user"]}

        """#)
    try fixture.expect(
      ["-describe", "token", "--json", "--manifest", "editor.manifest", "p.json"],
      output: #"{"file":"p.json","name":"token","type":"string","sensitive":true}"# + "\n")
    try fixture.expect(
      ["-describe", "", "--json", "editor.manifest"],
      output: #"""
        {"file":"editor.manifest","name":"org.example.editor","title":"Editor","description":"A text editor.","keys":["PayloadUUID","tabWidth","theme","font","window","recent","proxy","token","account","wrap","old"]}

        """#)
  }

  @Test("prints the current value, unless it is secret")
  func value() throws {
    let manifest = ["--manifest", "editor.manifest"]
    try fixture.expect(
      ["-describe", "window"] + manifest + ["p.json"],
      output: """
        window: Window
          type: dictionary
          value: {"width": "wide"}
          keys:
            width: integer
            title: string

        """)
    try fixture.folder.write(#"{"account": {"pin": "hunter6"}}"#, to: "a.json")
    for (path, isLeaf) in [("account", false), ("account.pin", true)] {
      try fixture.expect(
        ["-describe", path] + manifest + ["a.json"],
        output: isLeaf
          ? "account.pin\n  type: string\n  value: secret\n  sensitive: yes\n"
          : "account\n  type: dictionary\n  default: secret\n  value: secret\n  keys:\n    pin: string\n"
      )
    }
  }

  @Test("finds an installed manifest by the name of the file")
  func installed() throws {
    try fixture.shell(
      """
      cp p.json org.example.editor.json
      $PLUTIL -describe window.width org.example.editor.json
      """
    ).expect(
      output: """
        window.width
          type: integer
          default: 800
          value: "wide"
          required: always

        """)
  }

  static let errors = rows(
    """
    tabWidht editor.manifest
      editor.manifest: no description at key path tabWidht; did you mean tabWidth?
    window.titel editor.manifest
      editor.manifest: no description at key path window.titel; did you mean window.title?
    something.else editor.manifest
      editor.manifest: no description at key path something.else
    tabWidth p.json
      p.json: not a preference manifest, and none is installed for it; use --manifest to name one
    tabWidth --manifest . p.json
      p.json: there is no manifest for this domain
    """)

  @Test("names the key that was probably meant", arguments: errors)
  func fail(line: String, error: String) throws {
    let words = line.split(separator: " ").map(String.init)
    try fixture.expect(["-describe"] + words, error: error + "\n", status: 1)
  }
}

@Suite("plutil -create --manifest")
struct PlutilTemplateTests {
  private let fixture: ManifestFolder

  init() throws {
    fixture = try ManifestFolder()
  }

  @Test("writes XML with defaults and comments")
  func xml() throws {
    try fixture.expect(["-create", "xml1", "--manifest", "editor.manifest", "new.plist"])
    #expect(
      try fixture.folder.text("new.plist") == """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <!-- Editor. A text editor. -->
        <dict>
        \t<!-- Tab width. Columns of a tab. integer, 1 to 16 columns. -->
        \t<key>tabWidth</key>
        \t<integer>4</integer>
        \t<!-- string, "light" or "dark". -->
        \t<key>theme</key>
        \t<string>dark</string>
        \t<!-- font (no default). Any - - font- -. string, such as "Mono". -->
        \t<!-- Window. dictionary. -->
        \t<key>window</key>
        \t<dict>
        \t\t<!-- integer, required. -->
        \t\t<key>width</key>
        \t\t<integer>800</integer>
        \t\t<!-- string. -->
        \t\t<key>title</key>
        \t\t<string>a
        b</string>
        \t</dict>
        \t<!-- recent (no default). array, at most 3 elements. -->
        \t<!-- proxy (no default). string. -->
        \t<!-- token (no default). string. -->
        \t<!-- account (no default). dictionary. -->
        \t<!-- wrap (no default). boolean. -->
        \t<!-- old (no default). string. -->
        </dict>
        </plist>

        """)
    try fixture.expect(
      ["-lint", "--manifest", "editor.manifest", "new.plist"], output: "new.plist: OK\n")
    try fixture.expect(
      ["-create", "xml1", "--manifest", "editor.manifest", "new.plist"],
      error: "new.plist: file already exists; use -o new.plist to replace it\n", status: 1)
  }

  @Test("writes the defaults in other formats")
  func json() throws {
    try fixture.expect(
      ["-create", "json", "--manifest", "editor.manifest", "-"],
      output: #"{"tabWidth":4,"theme":"dark","window":{"title":"a\nb","width":800}}"#)
  }

  @Test("finds the manifest in a folder by the name of the file")
  func folder() throws {
    try fixture.expect(["-create", "xml1", "--manifest", ".", "org.example.editor.plist"])
    #expect(try fixture.folder.text("org.example.editor.plist").contains("<!-- Tab width. "))
    try fixture.expect(
      ["-create", "xml1", "--manifest", ".", "other.plist"],
      error: "other.plist: there is no manifest for this domain\n", status: 1)
    #expect(
      try fixture.folder.names() == ["editor.manifest", "org.example.editor.plist", "p.json"])
  }
}
