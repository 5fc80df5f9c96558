import Foundation
import PropertyList
import Testing

@testable import Manifests

@Suite("A check against a manifest")
struct ManifestCheckTests {
  static func date(_ year: Int) -> PlistValue {
    .date(Date(timeIntervalSince1970: Double(year - 1970) * 31_556_952))
  }

  /// Preferences of the fixture that are allowed.
  static let allowed: [PlistValue] = [
    [:], ["tabWidth": 1], ["tabWidth": 16], ["theme": "dark"], ["font": "Serif"], ["font": "Other"],
    ["zoom": 200], ["lineHeight": 0.5], ["lineHeight": 3], ["lineHeight": .float(1.5)],
    ["startDate": date(2022)], ["icon": .data(Data([1]))], ["homepage": "https://example.org"],
    ["bookmark": .data(Data())], ["bookmark": "path"], ["merged": ["a"]], ["merged": [:]],
    ["anything": [1, [:]]], ["wrapLines": false], ["userName": "ada-1"], ["recentFiles": ["a"]],
    ["matrix": [[1, 9], []]], ["window": ["width": 5, "height": 4, "title": "x"]],
    ["shortcuts": ["save": ["command": "write"], "open": ["command": "read"]]],
    [
      "rules": [
        ["kind": "replace", "from": "a", "to": "b"], ["kind": "highlight"],
        ["from": "x", "kind": "replace"],
      ]
    ],
    ["proxyMode": "manual", "proxyHost": "h", "proxyPort": 80, "proxyNote": "x"],
    ["tags": ["color"], "tagColor": "red"], ["tags": ["note"], "tagNote": "x"], ["tags": ["x"]],
    ["elsewhere": "x"], ["accounts": [["kind": "local"], ["kind": "remote", "server": "s"]]],
    ["token": "hunter3"], ["credentials": ["pin": 1234, "scopes": ["a"]]], ["newKey": "x"],
    ["lastKey": "x"], ["showLog": true],
    // The envelope of a profile.
    ["PayloadType": "org.example.editor", "PayloadUUID": "x"],
  ]

  @Test("finds nothing in what is allowed", arguments: allowed)
  func allow(value: PlistValue) throws {
    let checker = ManifestChecker(try ManifestFixture.manifest("editor"))
    #expect(checker.findings(in: value).map(\.description) == [])
  }

  /// Preferences of the fixture with what is found in them.
  static let rows: [(PlistValue, [String])] = [
    ("x", ["error expected a dictionary, not a string"]),
    (["tabWidth": "4"], ["error expected an integer, not a string (key path tabWidth)"]),
    (["tabWidth": 4.0], ["error expected an integer, not a real (key path tabWidth)"]),
    (["tabWidth": 0], ["error expected 1 to 16 columns (key path tabWidth)"]),
    (["tabWidth": 17], ["error expected 1 to 16 columns (key path tabWidth)"]),
    (["tabWidth": .unsignedInteger(.max)], ["error expected 1 to 16 columns (key path tabWidth)"]),
    (["theme": "blue"], [#"error expected "light", "dark" or "system" (key path theme)"#]),
    (["theme": 1], ["error expected a string, not an integer (key path theme)"]),
    (["font": 1], ["error expected a string, not an integer (key path font)"]),
    (["zoom": 75], ["error expected 50, 100 or 200 (key path zoom)"]),
    (["lineHeight": 0.4], ["error expected 0.5 to 3 (key path lineHeight)"]),
    (["lineHeight": 4], ["error expected 0.5 to 3 (key path lineHeight)"]),
    (["lineHeight": "1"], ["error expected a real, not a string (key path lineHeight)"]),
    (["startDate": "2022-01-01"], ["error expected a date, not a string (key path startDate)"]),
    (
      ["startDate": date(2019)],
      ["error expected at least 2020-01-01 00:00:00 +0000 (key path startDate)"]
    ),
    (["icon": "x"], ["error expected data, not a string (key path icon)"]),
    (["homepage": 1], ["error expected a string, not an integer (key path homepage)"]),
    (["wrapLines": 1], ["error expected a boolean, not an integer (key path wrapLines)"]),
    (
      ["userName": "Ada"],
      ["error expected a text that matches the pattern [a-z][a-z0-9_-]{0,30} (key path userName)"]
    ),
    (
      ["word": "yes"],
      ["note not checked against the pattern, which uses look-around (key path word)"]
    ),
    (["recentFiles": []], ["error expected 1 to 3 elements, not 0 (key path recentFiles)"]),
    (
      ["recentFiles": ["a", 1, "c", "d"]],
      [
        "error expected 1 to 3 elements, not 4 (key path recentFiles)",
        "error expected a string, not an integer (key path recentFiles.1)",
      ]
    ),
    (["recentFiles": "a"], ["error expected an array, not a string (key path recentFiles)"]),
    (["matrix": [[1], [2, 10]]], ["error expected at most 9 (key path matrix.1.1)"]),
    (
      ["window": ["height": "x", "titel": "y"]],
      [
        "error expected an integer, not a string (key path window.height)",
        "warning unknown key; did you mean title? (key path window.titel)",
        "error the required key is missing (key path window.width)",
      ]
    ),
    (["window": []], ["error expected a dictionary, not an array (key path window)"]),
    (
      ["shortcuts": ["SAVE": ["command": 1], "open": [:], "x": "y"]],
      [
        "error expected a text that matches the pattern [a-z]+ (key path shortcuts.SAVE)",
        "error expected a string, not an integer (key path shortcuts.SAVE.command)",
        "error the required key is missing (key path shortcuts.open.command)",
        "error expected a dictionary, not a string (key path shortcuts.x)",
      ]
    ),
    (
      ["rules": [["kind": "replace"], ["kind": "highlight", "color": "red"], "x"]],
      [
        "error the required key is missing (key path rules.0.from)",
        "error expected a text that matches the pattern #[0-9a-f]{6} (key path rules.1.color)",
        "error expected a dictionary, not a string (key path rules.2)",
      ]
    ),
    (
      ["proxyMode": "none", "proxyHost": "h"],
      [#"warning the key does not apply when proxyMode is "none" (key path proxyHost)"#]
    ),
    (
      ["proxyMode": "manual"],
      [#"error the key is required when proxyMode is "manual" (key path proxyHost)"#]
    ),
    (
      ["proxyPort": 1],
      ["warning the key does not apply when proxyHost is absent (key path proxyPort)"]
    ),
    (
      ["proxyNote": "x"],
      [#"warning the key does not apply when proxyMode is not "manual" (key path proxyNote)"#]
    ),
    (
      ["proxyMode": "manual", "proxyHost": "", "proxyPort": 1, "proxyNote": "x"],
      [
        "warning the key does not apply when proxyHost is empty and proxyPort is present "
          + "(key path proxyNote)"
      ]
    ),
    (
      ["tagColor": "red", "tags": ["x"]],
      [
        #"warning the key does not apply when tags does not contain "color" or "colour" (key path tagColor)"#
      ]
    ),
    (
      ["tags": ["x", "note"]],
      [#"error the key is required when tags contains "note" (key path tagNote)"#]
    ),
    (
      ["accounts": [["kind": "local"], ["kind": "remote"]]],
      [#"error the key is required when accounts.kind is "remote" (key path accounts.1.server)"#]
    ),
    (
      ["token": "secret!"],
      [
        "error expected one of the allowed values (key path token)",
        "error expected a text that matches the pattern [a-z0-9]+ (key path token)",
      ]
    ),
    (
      ["credentials": ["pin": 123_456, "scopes": [1], "hunter2": 1]],
      [
        "error expected at most 9999 (key path credentials)",
        "error expected a string, not an integer (key path credentials)",
        "warning unknown key (key path credentials)",
      ]
    ),
    (
      ["token": "hunter3", "tokenNote": "x"],
      [
        "warning the key does not apply when token has a certain value and theme is absent "
          + "(key path tokenNote)"
      ]
    ),
    (["oldKey": "x"], ["warning the key is deprecated since version 3.0 (key path oldKey)"]),
    (
      ["tabWidht": 4, "nothing.like it": 1],
      [
        "warning unknown key; did you mean tabWidth? (key path tabWidht)",
        #"warning unknown key (key path nothing\.like it)"#,
      ]
    ),
  ]

  @Test("finds what is not allowed", arguments: rows)
  func refuse(value: PlistValue, findings: [String]) throws {
    let checker = ManifestChecker(try ManifestFixture.manifest("editor"))
    #expect(checker.findings(in: value).map { "\($0.severity) \($0)" } == findings)
  }

  @Test("tells programs what was expected")
  func details() throws {
    let checker = ManifestChecker(try ManifestFixture.manifest("editor"))
    let findings = checker.findings(
      in: ["theme": "blue", "tabWidht": 1, "token": "x", "tabWidth": 0])
    let theme = ManifestFinding(
      keyPath: PlistKeyPath("theme"), kind: .notAllowed, severity: .error,
      message: #"expected "light", "dark" or "system""#, expected: #""light", "dark" or "system""#,
      allowedValues: ["light", "dark", "system"])
    let unknown = ManifestFinding(
      keyPath: PlistKeyPath("tabWidht"), kind: .unknownKey, severity: .warning,
      message: "unknown key; did you mean tabWidth?", nearestName: "tabWidth")
    let token = ManifestFinding(
      keyPath: PlistKeyPath("token"), kind: .notAllowed, severity: .error,
      message: "expected one of the allowed values", expected: "one of the allowed values",
      isSensitive: true)
    let range = ManifestFinding(
      keyPath: PlistKeyPath("tabWidth"), kind: .outOfRange, severity: .error,
      message: "expected 1 to 16 columns", expected: "1 to 16 columns")
    #expect(findings == [theme, unknown, token, range])
  }

  static let versions: [(String, [String])] = [
    ("1.9", ["the key needs version 2.10 (key path newKey)"]),
    ("1.9.0", ["the key needs version 2.10 (key path newKey)"]),
    (
      "2.9",
      [
        "the key needs version 2.10 (key path newKey)",
        "the key is only read up to version 1.9 (key path lastKey)",
      ]
    ),
    ("2.10", ["the key is only read up to version 1.9 (key path lastKey)"]),
    (
      "3",
      [
        "the key is deprecated since version 3.0 (key path oldKey)",
        "the key is only read up to version 1.9 (key path lastKey)",
      ]
    ),
    ("x", ["the key needs version 2.10 (key path newKey)"]),
  ]

  @Test("compares versions of the program", arguments: versions)
  func version(version: String, findings: [String]) throws {
    var options = ManifestChecker.Options()
    options.programVersion = version
    let checker = ManifestChecker(try ManifestFixture.manifest("editor"))
    let found = checker.findings(
      in: ["oldKey": "x", "newKey": "x", "lastKey": "x"], options: options)
    #expect(found.map(\.description) == findings)
    #expect(found.allSatisfy { $0.severity == .warning && $0.kind == .version })
  }

  static let formats: [(PlistFormat, [String])] = [
    (
      .xml,
      [
        "expected an integer, not a string (key path tabWidth)",
        "expected a boolean, not a string (key path wrapLines)",
        "expected a date, not a string (key path startDate)",
        "expected data, not a string (key path icon)",
        "expected a real, not a string (key path lineHeight)",
      ]
    ),
    (
      .json,
      [
        "expected an integer, not a string (key path tabWidth)",
        "expected a boolean, not a string (key path wrapLines)",
        "expected a real, not a string (key path lineHeight)",
      ]
    ),
    (
      .openStep,
      [
        "expected 1 to 16 columns (key path tabWidth)",
        "expected data, not a string (key path icon)",
      ]
    ),
  ]

  @Test("accepts text in formats that lack a type", arguments: formats)
  func text(format: PlistFormat, findings: [String]) throws {
    let checker = ManifestChecker(try ManifestFixture.manifest("editor"))
    let value: PlistValue = [
      "tabWidth": "17", "wrapLines": "YES", "startDate": "2022-01-01", "icon": "AQID",
      "lineHeight": "1.5",
    ]
    let found = checker.findings(in: value, options: ManifestChecker.Options(for: format))
    #expect(found.map(\.description) == findings)
  }

  @Test("needs the keys of the envelope in payloads only")
  func payload() throws {
    let checker = ManifestChecker(try ManifestFixture.manifest("wild"))
    let profile = try ManifestFixture.value("profile.mobileconfig")
    let payloads = try #require(ConfigurationProfile.payloads(in: profile))
    #expect(
      payloads.map { "\($0.keyPath) \($0.type)" } == [
        "PayloadContent.0 org.example.wild", "PayloadContent.1 org.example.editor",
        "PayloadContent.2 org.example.other",
      ])
    let value = PlistValue.dictionary(payloads[0].contents)
    let wrong = [
      "expected a text that matches the pattern ^[0-9A-Fa-f-]{36}$ (key path PayloadUUID)",
      "expected at most 5 (key path level)",
    ]
    #expect(checker.findings(in: value).map(\.description) == wrong)
    var options = ManifestChecker.Options()
    options.isPayload = true
    #expect(
      checker.findings(in: value, options: options).map(\.description)
        == wrong + ["the required key is missing (key path PayloadIdentifier)"])
    #expect(ConfigurationProfile.payloads(in: ["PayloadContent": []]) == nil)
    #expect(ConfigurationProfile.payloads(in: "x") == nil)
  }

  @Test("accepts what manifests in use leave open")
  func wild() throws {
    let checker = ManifestChecker(try ManifestFixture.manifest("wild"))
    let value: PlistValue = [
      "needed": "x", "ratio": 1, "policy": ["a": 1], "untyped": 1,
      "untypedContainer": ["inner": 1], "untypedList": [1, "x"], "list": ["a", "b", "a"],
      "empty": ["any": 1], "emptyList": [1], "options": ["b": true],
    ]
    #expect(
      checker.findings(in: value).map(\.description)
        == [
          "expected a string, not an integer (key path untypedContainer.inner)",
          "unknown key (key path options.b)",
        ])
  }
}
