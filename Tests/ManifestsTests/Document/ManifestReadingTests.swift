import Foundation
import Manifests
import PropertyList
import Testing

@Suite("A manifest")
struct ManifestReadingTests {
  @Test("is read with all properties of its keys")
  func read() throws {
    let manifest = try ManifestFixture.manifest("editor")
    #expect(manifest.domain == "org.example.editor")
    #expect(manifest.title == "Editor")
    #expect(manifest.description == "A text editor.")
    #expect(
      manifest.otherProperties.keys.sorted() == [
        "pfm_documentation_url", "pfm_format_version", "pfm_interaction", "pfm_last_modified",
        "pfm_name", "pfm_platforms", "pfm_unique", "pfm_version",
      ])

    var tabWidth = PreferencesManifest.Key("tabWidth", type: .integer)
    tabWidth.title = "Tab width"
    tabWidth.description = "Columns of a tab."
    tabWidth.note = "Only new files."
    tabWidth.documentationURL = "https://example.org/tabs"
    tabWidth.defaultValue = 4
    tabWidth.placeholder = 8
    tabWidth.unit = "columns"
    (tabWidth.minimum, tabWidth.maximum) = (1, 16)
    tabWidth.targets = ["user", "user-managed"]
    #expect(manifest.keys.first == tabWidth)

    var theme = PreferencesManifest.Key("theme", type: .string)
    theme.title = "Theme"
    theme.defaultValue = "system"
    theme.allowedValues = ["light", "dark", "system"]
    theme.allowedValueTitles = ["Light", "Dark", "As the system"]
    #expect(manifest.key(at: PlistKeyPath("theme")) == theme)

    var proxyHost = PreferencesManifest.Key("proxyHost", type: .string)
    var isNone = PreferencesManifest.Condition(target: PlistKeyPath("proxyMode"))
    isNone.values = ["none"]
    var isManual = PreferencesManifest.Condition(target: PlistKeyPath("proxyMode"))
    isManual.values = ["manual"]
    proxyHost.exclusions = [PreferencesManifest.ConditionGroup([isNone])]
    proxyHost.conditionals = [PreferencesManifest.ConditionGroup([isManual], requirement: .always)]
    #expect(manifest.key(at: PlistKeyPath("proxyHost")) == proxyHost)
  }

  /// The types of the keys at these paths of the fixture; nil for no key.
  static let types: [(String, PreferencesManifest.Key.ValueType?)] = [
    ("tabWidth", .integer), ("lineHeight", .real), ("wrapLines", .boolean), ("startDate", .date),
    ("icon", .data), ("homepage", .url), ("bookmark", .alias), ("merged", .unionPolicy),
    ("recentFiles", .array), ("recentFiles.0", .string), ("recentFiles.*", .string),
    ("recentFiles.first", nil), ("matrix.0.1", .integer), ("window", .dictionary),
    ("window.width", .integer), ("window.depth", nil), ("shortcuts.any", .dictionary),
    ("shortcuts.any.command", .string), ("rules.3.from", .string), ("rules.3.color", .string),
    ("missing", nil), ("", nil), ("tabWidth.x", nil),
  ]

  @Test("has descriptions by key path", arguments: types)
  func find(path: String, type: PreferencesManifest.Key.ValueType?) throws {
    #expect(try ManifestFixture.manifest("editor").key(at: PlistKeyPath(path))?.type == type)
  }

  static let typeNames: [(String, PreferencesManifest.Key.ValueType?)] = [
    ("string", .string), ("integer", .integer), ("real", .real), ("float", .real),
    ("Boolean", .boolean), ("bool", .boolean), ("date", .date), ("data", .data), ("array", .array),
    ("dictionary", .dictionary), ("dict", .dictionary), ("union policy", .unionPolicy),
    ("alias", .alias), ("url", .url), ("text", nil), ("", nil),
  ]

  @Test("has types by several names", arguments: typeNames)
  func type(name: String, type: PreferencesManifest.Key.ValueType?) {
    #expect(PreferencesManifest.Key.ValueType(name: name) == type)
  }

  @Test("of those in use is read without an error")
  func wild() throws {
    let value = try ManifestFixture.value("wild.plist")
    #expect(
      PreferencesManifest.problems(in: value).map { "\($0.severity) \($0)" } == [
        "warning misspelled; the name is pfm_range_max (key path pfm_subkeys.4.pmf_range_max)"
      ])
    let manifest = try PreferencesManifest(value)
    #expect(manifest.key(at: PlistKeyPath("level"))?.maximum == 5)
    #expect(manifest.key(at: PlistKeyPath("ratio"))?.type == .real)
    #expect(manifest.key(at: PlistKeyPath("options.a"))?.type == .boolean)
    #expect(manifest.key(at: PlistKeyPath("needed"))?.requirement == .always)
    #expect(manifest.key(at: PlistKeyPath("optional"))?.requirement == nil)
    #expect(manifest.key(at: PlistKeyPath("untypedContainer.inner"))?.type == .string)
  }

  @Test("with all properties has no problems but a pattern that cannot be checked")
  func correct() throws {
    #expect(
      PreferencesManifest.problems(in: try ManifestFixture.value("editor.plist")).map {
        "\($0.severity) \($0)"
      } == [
        "note values are not checked against the pattern, which uses look-around "
          + "(key path pfm_subkeys.13.pfm_format)"
      ])
  }

  @Test("has errors with their key paths")
  func wrong() throws {
    let problems = PreferencesManifest.problems(in: try ManifestFixture.value("wrong.plist"))
    #expect(
      problems.map { "\($0.severity) \($0)" } == [
        "error pfm_domain is missing",
        "error expected a string, not an integer (key path pfm_title)",
        "error unknown type; did you mean integer? (key path pfm_subkeys.0.pfm_type)",
        "error the default is not allowed: expected an integer, not a string"
          + " (key path pfm_subkeys.1.pfm_default)",
        "error the default is not allowed: expected 1 to 5 (key path pfm_subkeys.2.pfm_default)",
        #"error the default is not allowed: expected "x" or "y""#
          + #" (key path pfm_subkeys.3.pfm_default)"#,
        "error the value is outside the key's range (key path pfm_subkeys.4.pfm_range_list.1)",
        "error expected an integer, not a string (key path pfm_subkeys.4.pfm_range_list.2)",
        "error the minimum is above the maximum (key path pfm_subkeys.5.pfm_range_min)",
        "error the minimum is above the maximum (key path pfm_subkeys.6.pfm_repetition_min)",
        "error a is described more than once; the first description is used"
          + " (key path pfm_subkeys.7.pfm_name)",
        "error pfm_name is missing (key path pfm_subkeys.8)",
        "error expected a dictionary, not a string (key path pfm_subkeys.9)",
        "error invalid regular expression: ( is never closed (key path pfm_subkeys.10.pfm_format)",
        "note values are not checked against the pattern, which uses look-around"
          + " (key path pfm_subkeys.11.pfm_format)",
        "warning 2 values have 1 titles (key path pfm_subkeys.12.pfm_range_list_titles)",
        "error expected always, always-nested or push (key path pfm_subkeys.13.pfm_require)",
        "error expected a number, not a string (key path pfm_subkeys.14.pfm_range_min)",
        "error expected a number of elements (key path pfm_subkeys.15.pfm_repetition_max)",
        "error the default is not allowed: expected a string, not an integer"
          + " (key path pfm_subkeys.16.pfm_default.x)",
        "error expected a string, not an integer (key path pfm_subkeys.17.pfm_targets.1)",
        "error expected a dictionary, not a string (key path pfm_subkeys.18.pfm_exclude.0)",
        "error pfm_target is missing"
          + " (key path pfm_subkeys.18.pfm_exclude.1.pfm_target_conditions.0)",
        "error expected a boolean, not a string (key path pfm_subkeys.19.pfm_sensitive)",
        "error expected a string, not an array (key path pfm_subkeys.20.pfm_title)",
        "error expected an array, not a string (key path pfm_subkeys.21.pfm_subkeys)",
        "error the default is not allowed: expected one of the allowed values"
          + " (key path pfm_subkeys.22.pfm_default)",
      ])
  }

  static let others: [PlistValue] = ["text", ["pfm_title": "x"], [], ["a": 1]]

  @Test("is a dictionary with certain keys", arguments: others)
  func other(value: PlistValue) {
    let problem =
      "not a preference manifest; expected a dictionary with pfm_domain and pfm_subkeys"
    #expect(PreferencesManifest.problems(in: value).map(\.description) == [problem])
    #expect {
      try PreferencesManifest(value)
    } throws: {
      "\($0)" == problem
    }
    #expect(!PreferencesManifest.isManifest(value))
  }
}

@Suite("A written manifest")
struct ManifestWritingTests {
  @Test("has all properties of the one that was read, in the proper names")
  func write() throws {
    #expect(
      try ManifestFixture.manifest("editor").propertyList
        == ManifestFixture.value("editor.plist"))
    let wild = try ManifestFixture.manifest("wild").propertyList
    #expect(wild[PlistKeyPath("pfm_unknown_property")] == [true])
    func key(_ index: Int) -> PlistValue? { wild[PlistKeyPath("pfm_subkeys.\(index)")] }
    #expect(key(4) == ["pfm_name": "level", "pfm_type": "integer", "pfm_range_max": 5])
    #expect(key(5) == ["pfm_name": "ratio", "pfm_type": "real", "pfm_default": 1])
    #expect(key(11) == ["pfm_name": "needed", "pfm_type": "string", "pfm_require": "always"])
    #expect(key(12) == ["pfm_name": "optional", "pfm_type": "string"])
  }

  @Test("keeps what is wrong, and is read as the same manifest", arguments: ["editor", "wild"])
  func readAgain(name: String) throws {
    let manifest = try ManifestFixture.manifest(name)
    #expect(try PreferencesManifest(manifest.propertyList) == manifest)
  }

  @Test("keeps properties of a wrong type")
  func keep() throws {
    let properties: PlistDictionary = [
      "pfm_name": "key", "pfm_type": "nonsense", "pfm_title": 5, "pfm_range_min": "x",
      "pfm_repetition_max": -1, "pfm_require": "never", "pfm_targets": ["user", 1],
      "pfm_subkeys": "x",
    ]
    let value = ManifestFixture.manifest(key: properties)
    let written = try PreferencesManifest(value).propertyList
    #expect(written[PlistKeyPath("pfm_subkeys")] == [.dictionary(properties)])
  }

  @Test("of a program's own has the format's version")
  func new() {
    var key = PreferencesManifest.Key("tabWidth", type: .integer)
    key.defaultValue = 4
    let manifest = PreferencesManifest(domain: "org.example", title: "Example", keys: [key])
    #expect(
      manifest.propertyList == [
        "pfm_domain": "org.example", "pfm_title": "Example", "pfm_format_version": 1,
        "pfm_subkeys": [["pfm_name": "tabWidth", "pfm_type": "integer", "pfm_default": 4]],
      ])
  }
}
