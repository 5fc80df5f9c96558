import Foundation
import PropertyList
import TestSupport
import Testing

@Suite("defaults edit")
struct DefaultsEditTests {
  private let defaults: Defaults
  private static let date = Date(timeIntervalSinceReferenceDate: 0.5)

  init() throws {
    defaults = try Defaults()
    try defaults.folder.write(
      Plist.write(
        ["date": .date(Self.date), "data": .data(Data([1])), "size": 12], as: .binary),
      to: "user/D.plist")
  }

  private func edit(_ words: String, _ steps: String...) throws -> BuiltProgram.Run {
    try EditorScript.write(steps, in: defaults.folder)
    return try defaults.shell(EditorScript.running("$DEFAULTS edit \(words)"))
  }

  @Test(
    "shows a domain, and writes what is changed", arguments: ["", " --as json", " --as openstep"])
  func domain(form: String) throws {
    try edit(
      "D\(form)", #"sed -i 's/12/13/' "$1"; $DEFAULTS write D other -bool true"#
    ).expect(output: "- size: 12\n+ size: 13\n")
    #expect(
      try defaults.value(of: "user/D.plist")
        == ["date": .date(Self.date), "data": .data(Data([1])), "size": 13, "other": true])
  }

  @Test("shows the value of a key")
  func key() throws {
    try edit("D size", #"sed -i 's/12/13/' "$1"; $DEFAULTS delete D date"#)
      .expect(output: "- size: 12\n+ size: 13\n")
    #expect(try defaults.value(of: "user/D.plist") == ["data": .data(Data([1])), "size": 13])
    #expect(
      try defaults.folder.text("seen1") == """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <integer>12</integer>
        </plist>

        """)
  }

  @Test("keeps comments in a file that is named by its path")
  func path() throws {
    try defaults.folder.write("{ /* the size */ size = 12; }\n", to: "f.plist")
    try edit("./f", #"sed -i 's/12/13/' "$1""#)
      .expect(output: "- size: \"12\"\n+ size: \"13\"\n")
    #expect(try defaults.folder.text("f.plist") == "{ /* the size */ size = 13; }\n")
  }

  @Test("shows the descriptions of a manifest, which are not saved", arguments: ["xml1", "json"])
  func descriptions(form: String) throws {
    try EditorManifest.install(in: defaults.folder)
    let domain = "org.example.editor"
    try defaults.expect("write", domain, "tabWidth", "8")
    try defaults.expect("write", domain, "token", "hunter2")
    try edit(
      "\(domain) --as \(form)",
      #"sed -i 's/>8</>9</; s/: 8/: 9/; s/hunter2/hunter3/; s/<.*Columns/<!-- Rows/' "$1""#
    ).expect(
      output: "- tabWidth: 8\n+ tabWidth: 9\n- token: secret\n+ token: secret\n")
    #expect(
      try defaults.value(of: "user/\(domain).plist") == ["tabWidth": 9, "token": "hunter3"])
    #expect(!(try defaults.folder.text("user/\(domain).plist").contains("Rows")))
    let lines = try defaults.folder.text("seen1").split(separator: "\n")
    let (start, end) = form == "json" ? ("//#", "") : ("<!--#", " -->")
    #expect(
      lines.filter { $0.contains(start) }.map { $0.trimmingCharacters(in: .whitespaces) } == [
        "\(start) Editor. A text editor.\(end)",
        "\(start) Tab width. Columns of a tab. integer, 1 to 16 columns, default 4.\(end)",
        "\(start) string.\(end)",
      ])
    try edit("\(domain) tabWidth --as json", "true").expect(
      error: "\(domain): the text is unchanged; nothing was changed\n")
    #expect(
      try defaults.folder.text("seen1") == """
        //# Tab width. Columns of a tab. integer, 1 to 16 columns, default 4.
        9

        """)
  }

  @Test("refuses changes that a manifest forbids")
  func refusal() throws {
    try EditorManifest.install(in: defaults.folder)
    let domain = "org.example.editor"
    // Values that were already invalid may stay.
    try defaults.expect("write", "--force", domain, "{ tabWidth = 17; theme = dark; }")
    let kept = "\(domain): nothing was changed; your text is in TMP/\(domain)-XXXXXX.json\n"
    try edit("\(domain) --as json", #"sed -i 's/17/18/; s/: "dark"/: "blue"/' "$1""#).expect(
      error: """
        \(domain): line 2: expected 1 to 16 columns (key path tabWidth)
        \(domain): line 3: expected "light" or "dark" (key path theme)
        \(kept)
        """, status: 1)
    try edit("\(domain) theme --as json", #"echo '"blue"' > "$1""#).expect(
      error: """
        \(domain): line 1: expected "light" or "dark" (key path theme)
        \(kept)
        """, status: 1)
    try edit("\(domain) --as json", #"sed -i 's/dark/light/; s/"theme"/"zoom": 1, "theme"/' "$1""#)
      .expect(
        output: "- theme: \"dark\"\n+ theme: \"light\"\n+ zoom: 1\n",
        error: "\(domain): warning: unknown key (key path zoom)\n")
    #expect(
      try defaults.value(of: "user/\(domain).plist") == [
        "tabWidth": 17, "theme": "light", "zoom": 1,
      ])
  }

  @Test(
    "reports what it cannot do, and keeps the text",
    arguments: [
      (
        "D size", #"sed -i 's/12/13/' "$1"; $DEFAULTS delete D size"#,
        """
        D: conflict at size: another program has changed the same value
        D: nothing was changed; your text is in TMP/D-XXXXXX.plist

        """
      ),
      (
        "D", #"sed -i 's/12/twelve/' "$1""#,
        """
        D: line 12 column 11: not an integer; expected digits, or 0x and hexadecimal digits (key path size)
        D: nothing was changed; your text is in TMP/D-XXXXXX.plist

        """
      ),
      (
        "D --as json", #"echo '[]' > "$1""#,
        """
        D: expected a dictionary, not an array
        D: nothing was changed; your text is in TMP/D-XXXXXX.json

        """
      ),
      ("E", "", "Domain E does not exist\n"),
      ("D none", "", "The domain/default pair of (D, none) does not exist\n"),
      (
        "D --as text", "",
        "defaults: unknown form: text; expected xml1, json or openstep (see defaults help)\n"
      ),
      (
        "D a b", "",
        "defaults: too many arguments; usage: edit domain [key] [--as form] (see defaults help)\n"
      ),
    ])
  func failure(words: String, step: String, error: String) throws {
    try edit(words, step).expect(error: error, status: 1)
  }
}
