import Foundation
import PropertyList
import TestSupport
import Testing

/// The verbs that read the manifest of a domain.
@Suite("defaults, manifests")
struct DefaultsManifestTests {
  private let defaults: Defaults
  private var folder: TemporaryFolder { defaults.folder }
  private static let domain = "org.example.editor"
  private var file: String { folder.path("user/\(Self.domain).plist") }

  init() throws {
    defaults = try Defaults()
    try EditorManifest.install(in: defaults.folder)
  }

  /// Writes the user's values as text.
  private func write(_ text: String, to name: String = "user/\(domain).plist") throws {
    try folder.write(text, to: name)
  }

  // MARK: describe

  @Test("describe prints a key with its value, and where that comes from")
  func describe() throws {
    try write(#"{"tabWidth": 8, "token": "hunter5", "window": {"width": 640}}"#)
    try defaults.expect(
      "describe", Self.domain, "tabWidth",
      output: """
        tabWidth: Tab width
          description: Columns of a tab.
          type: integer
          range: 1 to 16 columns
          default: 4
          example: 8
          value: 8
          from: user (\(file))
          managed: no
          targets: user

        """)
    try defaults.expect(
      "describe", Self.domain, "theme",
      output: """
        theme
          type: string
          allowed values: "light" (Light), "dark" (Dark)
          default: "dark"
          value: not set
          managed: no
          note: a -- b

        """)
    try defaults.expect(
      "describe", Self.domain, "window.width",
      output: """
        window.width
          type: integer
          default: 800
          value: 640
          from: user (\(file))
          managed: no
          required: always

        """)
    try defaults.expect(
      "describe", Self.domain, "token",
      output: """
        token
          type: string
          allowed values: secret
          default: secret
          value: secret
          from: user (\(file))
          managed: no
          sensitive: yes

        """)
  }

  @Test("describe lists the keys of a domain")
  func describeDomain() throws {
    try defaults.expect(
      "describe", Self.domain,
      output: """
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

        """)
  }

  @Test("describe tells that a value is managed", .enabled(if: geteuid() == 0))
  func managed() throws {
    // Files are only trusted where no other user can replace them.
    try write(#"{"tabWidth": 9}"#, to: "managed.plist")
    let run = try defaults.shell(
      """
      unshare --mount sh -c 'mount -t tmpfs -o mode=755 none /etc/xdg && mkdir /etc/xdg/managed &&
        cp managed.plist /etc/xdg/managed/\(Self.domain).plist &&
        $DEFAULTS describe \(Self.domain) tabWidth &&
        $DEFAULTS write \(Self.domain) tabWidth 3 && $DEFAULTS reset \(Self.domain) tabWidth'
      """)
    let path = "/etc/xdg/managed/\(Self.domain).plist"
    run.expect(
      output: """
        tabWidth: Tab width
          description: Columns of a tab.
          type: integer
          range: 1 to 16 columns
          default: 4
          example: 8
          value: 9
          from: managed (\(path))
          managed: yes
          targets: user

        """, error: "tabWidth: the layer managed (\(path)) still supplies a value\n")
  }

  @Test("describe and check need a manifest that can be read")
  func noManifest() throws {
    let folders = ["data", "shared"].map { folder.path("\($0)/preferences/manifests") }
    for verb in ["describe", "check"] {
      let status: Int32 = verb == "check" ? 2 : 1
      try defaults.expect(
        verb, "org.none",
        error: "org.none: there is no manifest for this domain in \(folders[0]), \(folders[1])\n",
        status: status)
      try folder.write("{", to: "data/preferences/manifests/org.bad.manifest")
      let path = folder.path("data/preferences/manifests/org.bad.manifest")
      try defaults.expect(
        verb, "org.bad", error: "\(path): line 1 column 1: the dictionary is not closed\n",
        status: status)
      try defaults.expect(
        "-currentHost", verb, Self.domain,
        error:
          "defaults: -currentHost and -host cannot be used with \(verb) (see defaults help)\n",
        status: status)
    }
    try defaults.expect(
      "describe", Self.domain, "tabWidht",
      error: "\(Self.domain): no description at key path tabWidht; did you mean tabWidth?\n",
      status: 1)
  }

  @Test("the first manifest that is found is used, also in a mounted system")
  func search() throws {
    let shared = "shared/preferences/manifests"
    try folder.makeFolder(shared)
    for (name, title) in [("\(Self.domain).manifest", "Other"), ("org.b.manifest", "B")] {
      try folder.write(
        "{ pfm_domain = x; pfm_title = \(title); pfm_subkeys = (); }", to: "\(shared)/\(name)")
    }
    try defaults.expect("describe", "org.b", output: "x: B\n")
    #expect(try defaults.run(["describe", Self.domain]).text.hasPrefix("\(Self.domain): Editor\n"))
    let image = folder.path("image")
    try FileManager.default.createDirectory(
      atPath: image + folder.path(shared), withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      atPath: folder.path("\(shared)/org.b.manifest"),
      toPath: "\(image)\(folder.path(shared))/org.c.manifest")
    try defaults.expect("--root", image, "describe", "org.c", output: "x: B\n")
    #expect(try defaults.run(["--root", image, "describe", "org.b"]).status == 1)
  }

  // MARK: keys

  @Test("keys prints what is described and what is set")
  func keys() throws {
    try write("{ zoom = 2; tabWidth = 8; alpha = 1; }")
    try defaults.expect("write", "-g", "shared", "1")
    try defaults.expect(
      "keys", Self.domain,
      output:
        "tabWidth\ntheme\nfont\nwindow\nrecent\nproxy\ntoken\naccount\nwrap\nold\nalpha\nzoom\n")
    try defaults.expect("write", "org.D", "only", "1")
    try defaults.expect("keys", "org.D", output: "only\n")
    try defaults.expect("keys", "org.E", error: "Domain org.E does not exist\n", status: 1)
  }

  // MARK: check

  @Test("check prints findings with files and lines")
  func check() throws {
    try write(
      """
      {
        "tabWidth": 17,
        "tabWidht": 4,
        "window": {"width": "wide"},
        "token": "hunter5"
      }

      """)
    try write("{ theme = blue; shared = 1; }", to: "user/.GlobalPreferences.plist")
    try defaults.expect(
      "check", Self.domain,
      output: """
        \(file): line 2: expected 1 to 16 columns (key path tabWidth)
        \(file): warning: line 3: unknown key; did you mean tabWidth? (key path tabWidht)
        \(file): line 4: expected an integer, not a string (key path window.width)
        \(file): line 5: expected one of the allowed values (key path token)
        \(folder.path("user/.GlobalPreferences.plist")): line 1: expected "light" or "dark" (key path theme)

        """, status: 1)
    try write(#"{"font": "Mono"}"#)
    try defaults.expect(
      "check", "./user/\(Self.domain)",
      output: "./user/\(Self.domain): the key is required when font is present (key path proxy)\n",
      status: 1)
  }

  @Test("check without a domain checks all that have a manifest and values")
  func checkAll() throws {
    try defaults.expect("check")
    try write(#"{"tabWidht": 4}"#)
    try defaults.expect("write", "org.other", "k", "1")
    try defaults.expect(
      "check",
      output: """
        \(file): warning: line 1: unknown key; did you mean tabWidth? (key path tabWidht)
        \(Self.domain): OK

        """)
    try write("{")
    let run = try defaults.run(["check"])
    #expect(run.status == 2)
    #expect(run.text == "")
    #expect(run.error.hasPrefix("\(file): line 1 column 1: "))
  }

  // MARK: reset

  @Test("reset deletes keys for all hosts and for this one, in one change")
  func reset() throws {
    try defaults.expect("write", Self.domain, "tabWidth", "8")
    try defaults.expect("write", Self.domain, "theme", "light")
    try defaults.expect("-currentHost", "write", Self.domain, "theme", "dark")
    try defaults.expect("write", Self.domain, "zoom", "2", error: warning("zoom"))
    try defaults.expect("reset", Self.domain, "tabWidth", "theme", "font")
    try defaults.expect("read", Self.domain, output: "{\n    zoom = 2;\n}\n")
    try defaults.expect(
      "-currentHost", "read", Self.domain,
      error: """
        Domain \(Self.domain) does not exist
        It exists for all hosts: leave out -currentHost or -host

        """, status: 1)
    try defaults.expect("reset", Self.domain, "zoom")

    try folder.write("{ theme = light; }", to: "system/\(Self.domain).plist")
    try defaults.expect(
      "reset", Self.domain, "theme",
      error:
        "theme: the layer system (\(folder.path("system/\(Self.domain).plist"))) still supplies a value\n"
    )
  }

  @Test("reset changes nothing if a key is neither set nor described")
  func resetUnknown() throws {
    try defaults.expect("write", Self.domain, "tabWidth", "8")
    for words in [["tabWidth", "them"], ["them"]] {
      try defaults.expect(
        words: ["reset", Self.domain] + words,
        error: """
          The domain/default pair of (\(Self.domain), them) does not exist; did you mean theme?
          Defaults have not been changed.

          """, status: 1)
    }
    try defaults.expect("read", Self.domain, "tabWidth", output: "8\n")
  }

  // MARK: write

  private func warning(_ key: String, _ hint: String = "") -> String {
    "\(Self.domain): warning: unknown key\(hint) (key path \(key))\n"
  }

  /// Keys with words of values, and what is stored.
  static let values: [(String, [String], PlistValue)] = [
    ("tabWidth", ["4"], 4), ("tabWidth", ["-int", "5"], 5), ("theme", ["light"], "light"),
    ("font", ["(a)"], "(a)"), ("font", ["\"a b\""], "a b"), ("font", ["5"], "5"),
    ("wrap", ["yes"], true), ("window", ["{width = 640;}"], ["width": 640]),
    ("window", ["-dict", "width", "640", "title", "7"], ["width": 640, "title": "7"]),
    ("recent", ["-array", "/a", "/b"], ["/a", "/b"]), ("recent", ["(\"/a\")"], ["/a"]),
  ]

  @Test("write takes the type from the manifest", arguments: values)
  func type(key: String, words: [String], value: PlistValue) throws {
    try defaults.expect("write", Self.domain, "proxy", "p")
    try defaults.expect(words: ["write", Self.domain, key] + words)
    #expect(try defaults.value(of: "user/\(Self.domain).plist") == [key: value, "proxy": "p"])
  }

  @Test("write adds to containers with the types of the manifest")
  func adding() throws {
    try defaults.expect("write", Self.domain, "window", "-dict", "width", "1")
    try defaults.expect("write", Self.domain, "window", "-dict-add", "width", "2", "title", "3")
    try defaults.expect("write", Self.domain, "recent", "-array-add", "/a")
    try defaults.expect("write", Self.domain, "recent", "-array-add", "/b")
    #expect(
      try defaults.value(of: "user/\(Self.domain).plist")
        == ["window": ["width": 2, "title": "3"], "recent": ["/a", "/b"]])
  }

  /// Words after the domain, and the findings.
  static let refused: [([String], [String])] = [
    (["tabWidth", "17"], ["expected 1 to 16 columns (key path tabWidth)"]),
    (["tabWidth", "wide"], ["expected an integer, not a string (key path tabWidth)"]),
    (["tabWidth", "-string", "4"], ["expected an integer, not a string (key path tabWidth)"]),
    (["theme", "blue"], ["expected \"light\" or \"dark\" (key path theme)"]),
    (["token", "hunter9"], ["expected one of the allowed values (key path token)"]),
    (
      ["recent", "-array-add", "a", "b", "/c"],
      [
        "expected a text that matches the pattern /.* (key path recent.0)",
        "expected a text that matches the pattern /.* (key path recent.1)",
      ]
    ),
    (["window", "{}"], ["the required key is missing (key path window.width)"]),
    (
      ["{ tabWidth = 17; font = a; }"],
      [
        "expected 1 to 16 columns (key path tabWidth)",
        "the key is required when font is present (key path proxy)",
      ]
    ),
  ]

  @Test("write refuses what the manifest forbids, unless it is forced", arguments: refused)
  func refuse(words: [String], findings: [String]) throws {
    try defaults.expect("write", Self.domain, "tabWidth", "8")
    let before = try folder.data("user/\(Self.domain).plist")
    try defaults.expect(
      words: ["write", Self.domain] + words,
      error: findings.map { "\(Self.domain): \($0)\n" }.joined()
        + "Leaving defaults unchanged. To write it anyway, put --force after write.\n", status: 1)
    #expect(try folder.data("user/\(Self.domain).plist") == before)
    try defaults.expect(words: ["write", "--force", Self.domain] + words)
    #expect(try folder.data("user/\(Self.domain).plist") != before)
  }

  @Test("write warns about a key that is not described, and about one without effect")
  func warn() throws {
    try defaults.expect(
      "write", Self.domain, "tabWidht", "4",
      error: warning("tabWidht", "; did you mean tabWidth?"))
    try defaults.expect("write", Self.domain, "theme", "light")
    try defaults.expect(
      "write", Self.domain, "proxy", "p",
      error:
        "\(Self.domain): warning: the key does not apply when theme is \"light\" (key path proxy)\n"
    )
    #expect(
      try defaults.value(of: "user/\(Self.domain).plist")
        == ["tabWidht": "4", "theme": "light", "proxy": "p"])
  }

  @Test("write takes a file that is named by its path, and ignores a manifest that cannot be read")
  func otherFiles() throws {
    try folder.write("{ /* the width */ tabWidth = 3; }", to: "\(Self.domain).plist")
    try defaults.expect(
      "write", "./\(Self.domain)", "tabWidth", "17",
      error: """
        ./\(Self.domain): expected 1 to 16 columns (key path tabWidth)
        Leaving defaults unchanged. To write it anyway, put --force after write.

        """, status: 1)
    try folder.write("{", to: "data/preferences/manifests/org.bad.plist")
    let path = folder.path("data/preferences/manifests/org.bad.plist")
    try defaults.expect(
      "write", "org.bad", "k", "4",
      error:
        "org.bad: warning: \(path): line 1 column 1: the dictionary is not closed\n")
    try defaults.expect("read", "org.bad", "k", output: "4\n")
  }
}
