import Foundation
import PropertyList
import TestSupport
import Testing

@Suite("plutil -lint --manifest")
struct PlutilManifestLintTests {
  private let fixture: ManifestFolder
  private var folder: TemporaryFolder { fixture.folder }

  init() throws {
    fixture = try ManifestFolder()
  }

  private func expect(
    _ words: [String], output: String = "", error: String = "", status: Int32,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try fixture.expect(
      ["-lint"] + words, output: output, error: error, status: status,
      sourceLocation: sourceLocation)
  }

  static let errors = """
    p.json: line 2: expected 1 to 16 columns (key path tabWidth)
    p.json: line 3: expected "light" or "dark" (key path theme)
    p.json: line 6: expected an integer, not a string (key path window.width)
    p.json: line 8: expected a text that matches the pattern /.* (key path recent.1)
    p.json: line 9: expected one of the allowed values (key path token)

    """
  static let unknown = "line 4: unknown key; did you mean tabWidth? (key path tabWidht)\n"

  @Test("prints deviations with their lines")
  func text() throws {
    try expect(
      ["--manifest", "editor.manifest", "p.json"], output: Self.errors,
      error: "p.json: warning: " + Self.unknown, status: 1)
    try expect(["-s", "--manifest", "editor.manifest", "p.json"], output: Self.errors, status: 1)
  }

  @Test("takes warnings for errors with --strict")
  func strict() throws {
    try folder.write("{ tabWidht = 4; }\n", to: "a.plist")
    let arguments = ["--manifest", "editor.manifest", "a.plist"]
    let problem = "line 1: unknown key; did you mean tabWidth? (key path tabWidht)\n"
    try expect(
      arguments, output: "a.plist: OK\n", error: "a.plist: warning: " + problem, status: 0)
    try expect(["--strict"] + arguments, output: "a.plist: " + problem, status: 1)
  }

  @Test("prints objects with --json, without secret values")
  func json() throws {
    try expect(
      ["--json", "--manifest", "editor.manifest", "p.json"],
      output: #"""
        {"file":"p.json","line":2,"keyPath":"tabWidth","severity":"error","message":"expected 1 to 16 columns","expected":"1 to 16 columns"}
        {"file":"p.json","line":3,"keyPath":"theme","severity":"error","message":"expected \"light\" or \"dark\"","expected":"\"light\" or \"dark\"","allowedValues":["light","dark"]}
        {"file":"p.json","line":4,"keyPath":"tabWidht","severity":"warning","message":"unknown key; did you mean tabWidth?","nearestName":"tabWidth"}
        {"file":"p.json","line":6,"keyPath":"window.width","severity":"error","message":"expected an integer, not a string","expected":"an integer"}
        {"file":"p.json","line":8,"keyPath":"recent.1","severity":"error","message":"expected a text that matches the pattern \/.*","expected":"a text that matches the pattern \/.*"}
        {"file":"p.json","line":9,"keyPath":"token","severity":"error","message":"expected one of the allowed values","expected":"one of the allowed values"}

        """#, status: 1)
  }

  @Test("prints workflow commands with --github")
  func github() throws {
    try folder.write("{ window = {}; }\n", to: "a.plist")
    try expect(
      ["--github", "--manifest", "editor.manifest", "a.plist"],
      output: """
        ::error file=a.plist,line=1::the required key is missing (key path window.width)

        """, status: 1)
  }

  @Test("has no lines in binary property lists")
  func binary() throws {
    let value: PlistValue = ["theme": "light", "proxy": "x", "font": "Other"]
    try folder.write(Plist.write(value, as: .binary), to: "b.plist")
    try expect(
      ["--manifest", "editor.manifest", "b.plist"], output: "b.plist: OK\n",
      error:
        "b.plist: warning: the key does not apply when theme is \"light\" (key path proxy)\n",
      status: 0)
  }

  @Test("accepts all values that are allowed, and text for numbers in OpenStep")
  func valid() throws {
    try folder.write(
      "{ tabWidth = 4; theme = dark; font = X; proxy = y; recent = (\"/a\"); window = { width = 1; }; }\n",
      to: "a.plist")
    try expect(["--manifest", "editor.manifest", "a.plist"], output: "a.plist: OK\n", status: 0)
    try expect(
      ["--manifest", "editor.manifest", "--program-version", "0.9", "-s", "a.plist"], status: 0)
  }

  static let versions = [
    ("0.9", "line 1: the key needs version 1.0 (key path old)\n"), ("1.9", ""),
    ("2.0", "line 1: the key is deprecated since version 2.0 (key path old)\n"),
  ]

  @Test("warns about keys of other versions of the program", arguments: versions)
  func version(version: String, warning: String) throws {
    try folder.write("{ old = x; }\n", to: "a.plist")
    try expect(
      ["--manifest", "editor.manifest", "--program-version", version, "a.plist"],
      output: "a.plist: OK\n", error: warning.isEmpty ? "" : "a.plist: warning: " + warning,
      status: 0)
  }

  @Test("finds manifests in a folder by the names of files")
  func folders() throws {
    try folder.makeFolder("manifests", "manifests/more", "prefs")
    try folder.write(EditorManifest.text, to: "manifests/more/x.manifest")
    try folder.write("{ a = 1; }\n", to: "manifests/other.plist")
    try folder.write("{ theme = blue; }\n", to: "prefs/org.example.editor.plist")
    try folder.write("{ theme = blue; }\n", to: "prefs/org.example.other.plist")
    let problem =
      "prefs/org.example.editor.plist: line 1: expected \"light\" or \"dark\" (key path theme)\n"
    try expect(
      ["--manifest", "manifests", "prefs"],
      output: problem + "checked 2 property lists: 1 OK, 1 failed, 0 warnings\n", status: 1)
    // A single manifest is used for the file of its domain only, unless files are named.
    try expect(
      ["--manifest", "editor.manifest", "prefs"],
      output: problem + "checked 2 property lists: 1 OK, 1 failed, 0 warnings\n", status: 1)
    try expect(
      ["--manifest", "manifests", "prefs/org.example.other.plist"],
      output: "prefs/org.example.other.plist: OK\n",
      error:
        "prefs/org.example.other.plist: note: not checked: there is no manifest for this domain\n",
      status: 0)
    try expect(
      ["--manifest", "editor.manifest", "prefs/org.example.other.plist"],
      output:
        "prefs/org.example.other.plist: line 1: expected \"light\" or \"dark\" (key path theme)\n",
      status: 1)
    try expect(
      ["--manifest", "prefs", "p.json"],
      error: "prefs: there is no preference manifest in this folder\n", status: 1)
  }

  @Test("checks each payload of a profile by its type")
  func profile() throws {
    try folder.write(
      """
      { PayloadType = Configuration; PayloadContent = (
        { PayloadType = "org.example.editor"; theme = blue; },
        { PayloadType = "org.example.editor"; PayloadUUID = x; PayloadVersion = 1; theme = dark; },
        { PayloadType = "org.example.other"; x = 1; }
      ); }

      """, to: "a.mobileconfig")
    let errors = """
      a.mobileconfig: line 2: expected "light" or "dark" (key path PayloadContent.0.theme)
      a.mobileconfig: line 2: the required key is missing (key path PayloadContent.0.PayloadUUID)

      """
    try expect(
      ["--manifest", "editor.manifest", "a.mobileconfig"], output: errors,
      error:
        "a.mobileconfig: note: not checked: there is no manifest for org.example.other "
        + "(key path PayloadContent.2)\n", status: 1)
    try expect(
      ["--manifest", "editor.manifest", "."],
      output: errors + "checked 1 property list: 0 OK, 1 failed, 0 warnings\n", status: 1)
  }

  @Test("reports what is wrong in a manifest, and in manifests among the files")
  func wrong() throws {
    try folder.write(
      """
      { pfm_domain = d; pfm_subkeys = (
        { pfm_name = a; pfm_type = strnig; },
        { pfm_name = b; pfm_type = string; pfm_format = "(?=x)"; },
        { pfm_name = c; pfm_default = x; pfm_type = string; pmf_range_max = <*I1>; }
      ); }

      """, to: "wrong.plist")
    let error =
      "wrong.plist: line 2: unknown type; did you mean string? (key path pfm_subkeys.0.pfm_type)\n"
    let others = """
      wrong.plist: note: line 3: values are not checked against the pattern, which uses look-around \
      (key path pfm_subkeys.1.pfm_format)
      wrong.plist: warning: line 4: misspelled; the name is pfm_range_max \
      (key path pfm_subkeys.2.pmf_range_max)

      """
    try folder.write("{ a = x; b = y; }\n", to: "a.plist")
    try expect(
      ["--manifest", "wrong.plist", "a.plist"], output: error + "a.plist: OK\n",
      error: others
        + "a.plist: note: line 1: not checked against the pattern, which uses look-around (key path b)\n",
      status: 1)
    try expect(["wrong.plist"], output: error, error: others, status: 1)
    try expect(["editor.manifest"], output: "editor.manifest: OK\n", status: 0)
  }

  static let unusable = [
    (
      "p.json",
      "p.json: not a preference manifest; expected a dictionary with pfm_domain and pfm_subkeys\n"
    ),
    (
      "missing",
      "missing: file does not exist or is not readable or is not a regular file (No such file or directory)\n"
    ),
    ("broken", "broken: line 1 column 3: expected = or ; (key path a)\n"),
  ]

  @Test("fails without a manifest that can be read", arguments: unusable)
  func fail(name: String, error: String) throws {
    try folder.write("{a}", to: "broken")
    try expect(["--manifest", name, "p.json"], error: error, status: 1)
  }

  @Test("reads standard input once")
  func standardInput() throws {
    try expect(
      ["--manifest", "-", "-"],
      error: "plutil: standard input can only be read once (see plutil -help)\n", status: 1)
  }
}
