import Foundation
import Manifests
import PropertyList
import TestSupport
import Testing
import TypedPreferences

/// The programs of `Sources/Examples`, each run as its header says. The server has separate tests.
@Suite("Examples")
struct ExampleTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Runs an example, whose preferences go to the folder, and expects all that it prints.
  private func check(
    _ name: String, _ arguments: [String] = [], prints output: String, error: String = "",
    status: Int32 = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    var program = BuiltProgram(name)
    program.environment = ["XDG_CONFIG_HOME": folder.path, "XDG_CONFIG_DIRS": folder.path("none")]
    try program.expect(
      arguments, in: folder, output: output, error: error, status: status,
      sourceLocation: sourceLocation)
  }

  @Test("LaunchCounter counts its launches")
  func launchCounter() throws {
    try check("LaunchCounter", prints: "Welcome, this is launch 1.\n")
    try check("LaunchCounter", prints: "Welcome, this is launch 2.\n")
  }

  @Test("RememberedOptions takes options from the command line, the file and the defaults")
  func rememberedOptions() throws {
    let line = String(repeating: "-", count: 40)
    try check(
      "RememberedOptions",
      prints:
        "\(line)\nUntitled\n\(line)\ntitle: registration\nwidth: registration\nframe: registration\n"
    )
    try check(
      "RememberedOptions", ["--width=3"],
      prints:
        "---\nUntitled\n---\ntitle: registration\nwidth: argument, before registration\nframe: registration\n"
    )
    try check(
      "RememberedOptions", ["remember", "--width=4", "--title", "Ada"],
      prints: """
        ----
        Ada
        ----
        title: argument, before user, before registration
        width: argument, before user, before registration
        frame: registration

        """)
    try check(
      "RememberedOptions", ["--frame=no"],
      prints: """
        Ada
        title: user, before registration
        width: user, before registration
        frame: argument, before registration

        """)
    try check(
      "RememberedOptions", ["forget"],
      prints:
        "\(line)\nUntitled\n\(line)\ntitle: registration\nwidth: registration\nframe: registration\n"
    )
  }

  private static let notesHint = "hint: change this with NotesTool config set\n"

  @Test("NotesTool has its settings from one declaration")
  func notesTool() throws {
    let file = folder.path("org.example.notes.plist")
    try check(
      "NotesTool", ["--tab-width", "8", "--tags=a,b", "--no-quiet"],
      prints: """
        notes in memory, by changed
        window 80x24, tabs of 8 columns
        new notes are tagged ["a", "b"]
        \(Self.notesHint)
        """)
    try check("NotesTool", ["config", "set", "order", "title"], prints: "")
    try check("NotesTool", ["config", "set", "window", #"{"columns": 100}"#], prints: "")
    try check("NotesTool", ["config", "set", "isQuiet", "yes"], prints: "")
    try check("NotesTool", ["config", "set", "token", "secret"], prints: "")
    try check(
      "NotesTool",
      prints: """
        notes in memory, by title
        window 100x24, tabs of 4 columns
        new notes are tagged []

        """)
    try check(
      "NotesTool", ["--folder", "/srv", "config"],
      prints: """
        order = title
          Order of the notes.
          "created", "changed" or "title", default changed
          from \(file)

        tabWidth = 4
          Tab width. How far a tab goes in the editor.
          integer, 1 to 16 columns, default 4, environment NOTES_TAB_WIDTH
          from the default

        window = {"columns": 100, "lines": 24}
          Size of the editor's window.
          dictionary, default {"columns": 80, "lines": 24}
          from \(file)

        tags = []
          Tags of new notes.
          array of strings, 0 to 5 elements, default []
          from the default

        folder = /srv
          Folder of the notes.
          string, no default, environment NOTES_FOLDER
          from the option --folder

        isQuiet = true
          Print no hints.
          boolean, default false
          from \(file)

        token = (secret)
          Token of the server.
          string, secret, environment NOTES_TOKEN
          from \(file)

        """)
    try check("NotesTool", ["config", "reset", "isQuiet", "order", "window", "token"], prints: "")
    try check("NotesTool", ["config", "get", "order"], prints: "changed\n")
  }

  @Test("NotesTool refuses what its declaration does not allow")
  func refusedNotes() throws {
    func refuse(_ arguments: [String], _ error: String, status: Int32 = 2) throws {
      try check(
        "NotesTool", arguments, prints: "", error: "NotesTool: \(error)\n", status: status)
    }
    try refuse(["--tab-width", "17"], "--tab-width: expected 1 to 16 columns")
    try refuse(["--tab-widht=8"], "unknown option --tab-widht; did you mean --tab-width?")
    try refuse(["confgi"], "unknown command confgi; did you mean config?")
    try refuse(["config", "set", "tabWidth", "0"], "tabWidth: expected 1 to 16 columns", status: 1)
    try refuse(
      ["config", "get", "tabWidht"], "unknown key tabWidht; did you mean tabWidth?", status: 1)
    #expect(try folder.names() == [])
  }

  @Test("NotesTool writes the manifest that a package installs, which has no problems")
  func notesManifest() throws {
    // The rule of the page about settings.
    try folder.write(
      """
      MANIFESTS = $(PREFIX)/share/preferences/manifests

      install-manifest:
      \tinstall -d '$(DESTDIR)$(MANIFESTS)'
      \t'\(BuiltProgram("NotesTool").path)' --manifest > '$(DESTDIR)$(MANIFESTS)/org.example.notes.plist'
      """, to: "Makefile")
    let make = BuiltProgram("NotesTool")
    let run = try make.run(
      "/usr/bin/make", ["-s", "install-manifest", "DESTDIR=\(folder.path)", "PREFIX=/usr"],
      in: folder)
    run.expect()
    let name = "usr/share/preferences/manifests/org.example.notes.plist"
    let document = try Plist.read(try folder.data(name))
    #expect(PreferencesManifest.problems(in: document.value) == [])
    let manifest = try PreferencesManifest(document.value)
    #expect(manifest.domain == "org.example.notes")
    #expect(
      manifest.keys.map(\.name) == [
        "order", "tabWidth", "window", "tags", "folder", "isQuiet", "token",
      ])
    #expect(throws: ManifestRefusal.self) { try manifest.check(["tabWidth": 17]) }
  }

  @Test("An option of the wrong type is refused, and nothing is remembered")
  func wrongType() throws {
    var program = BuiltProgram("RememberedOptions")
    program.environment = ["XDG_CONFIG_HOME": folder.path, "SWIFT_BACKTRACE": "enable=no"]
    let run = try program.run(["remember", "--width=wide"], in: folder)
    #expect(run.status != 0)
    #expect(run.error.contains("width"), "\(run.error)")
    #expect(
      !FileManager.default.fileExists(atPath: folder.path("org.example.remembered-options.plist")))
  }

  @Test("The players have one file, whichever front end they use")
  func players() throws {
    try check("PreferencesPlayer", ["So What"], prints: "last: nothing, volume: 0.5\n")
    try check("DefaultsPlayer", ["Blue in Green"], prints: "last: So What, volume: 0.625\n")
    try check("FoilPlayer", ["All Blues"], prints: "last: Blue in Green, volume: 0.75\n")
    try check(
      "TypedDefaultsPlayer", ["Freddie Freeloader"], prints: "last: All Blues, volume: 0.875\n")
    try check("PreferencesPlayer", prints: "last: Freddie Freeloader, volume: 1.0\n")
  }

  @Test("PlaylistEditor edits and converts a property list")
  func playlistEditor() throws {
    try check(
      "PlaylistEditor",
      prints: """
        xml: So What
        2 tracks, 899 seconds
        {"bought":"2026","title":"Kind of Blue","tracks":[{"name":"So What","seconds":562},{"name":"Blue in Green","seconds":337}]}
        refused: line 1 column 16: expected ;

        """)
  }

  @Test("CodableMigration reads what an older version has stored")
  func codableMigration() throws {
    try check(
      "CodableMigration",
      prints: """
        before: ["person", "window"]
        author: Ada King / Lovelace
        reported: org.example.codable-migration, window: cannot be read: the dictionary has no key isZoomed
        window: 132, zoomed: false
        after: ["author", "window"]

        """)
    try check(
      "CodableMigration",
      prints: """
        before: ["author", "window"]
        author: Ada King / Lovelace
        window: 132, zoomed: true
        after: ["author", "window"]

        """)
  }

  @Test("FixtureInspector reports on all fixtures, and harms nothing")
  func fixtureInspector() throws {
    let fixtures = try #require(Bundle.module.url(forResource: "Fixtures", withExtension: nil))
    let run = try BuiltProgram("FixtureInspector").run([fixtures.path], in: folder)
    #expect(run.status == 1)
    #expect(run.error == "")
    #expect(run.text.contains("xml/launchd-job.plist: xml, "))
    #expect(run.text.contains("malformed/xml/integer-with-letters.plist: line "))
    try check("FixtureInspector", prints: "usage: FixtureInspector <folder>\n", status: 2)
  }
}
