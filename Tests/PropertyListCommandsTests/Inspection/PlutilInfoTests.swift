import Foundation
import PropertyList
import TestSupport
import Testing

@Suite("plutil -info")
struct PlutilInfoTests {
  private let fixture: PlutilFixture

  init() throws {
    fixture = try PlutilFixture()
  }

  @Test("tells what is in a file")
  func file() throws {
    try fixture.expect(
      "-info sample.plist",
      output: """
        sample.plist:
          format: XML, UTF-8
          size: 474 bytes
          values: 2 dictionaries, 1 array, 1 string, 1 integer, 1 real, 1 boolean, 1 date, 1 data
          keys: 6
          depth: 3
          dates: 2024-01-02 03:04:05 +0000
          largest: list (59 bytes), ratio (50 bytes), when (50 bytes)

        """.replacing("474", with: "\(PlutilFixture.sample.utf8.count)")
          .replacing(/largest.*\n/, with: Self.largest(of: PlutilFixture.sample)))
  }

  /// The line about the largest values, with their sizes in binary documents.
  private static func largest(of text: String) -> String {
    guard case .dictionary(let root)? = try? Plist.read(Data(text.utf8)).value else { return "" }
    let sizes = root.map { ($0.key, $0.value.binarySize) }.sorted { $0.1 > $1.1 }.prefix(3)
    return "largest: " + sizes.map { "\($0.0) (\($0.1) bytes)" }.joined(separator: ", ") + "\n"
  }

  @Test("tells encodings, duplicate keys and warnings")
  func oddities() throws {
    let text =
      "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><dict><key>a</key><true/><key>a</key><false/></dict>"
    try fixture.folder.write(text, to: "x")
    let run = try Plutil.run(["-info", "x"], in: fixture.folder)
    #expect(run.text.contains("\n  format: XML, ISO-8859-1\n"))
    #expect(run.text.contains("\n  duplicate keys: a\n"))
    #expect(run.text.contains("\n  warning: line 1 column 44: the value has no <plist> element"))
    #expect(run.error == "")
    let wide = Data(
      "\u{FEFF}\"k\" = \"v\";".utf16.flatMap {
        [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
      })
    try fixture.folder.write(wide, to: "w.strings")
    let strings = try Plutil.run(["-info", "w.strings"], in: fixture.folder)
    #expect(strings.text.contains("format: OpenStep text, UTF-16LE with a byte-order mark\n"))
    #expect(strings.text.contains("seems to be: strings table of 1 string\n"))
  }

  static let roles: [(String, PlistValue, String)] = [
    (
      "Info.plist", ["CFBundleIdentifier": "org.example.app", "CFBundleShortVersionString": "1.2"],
      "Info.plist of org.example.app, version 1.2"
    ),
    ("a.plist", ["com.apple.security.app-sandbox": true], "entitlements"),
    ("x.entitlements", [:], "entitlements"),
    (
      "a.plist", ["Label": "org.example.job", "Program": "/bin/true"], "launchd job org.example.job"
    ),
    (
      "a.plist", ["Entitlements": [:], "TeamIdentifier": ["T"], "Name": "Example"],
      "provisioning profile Example"
    ),
    (
      "a.mobileconfig",
      ["PayloadType": "Configuration", "PayloadContent": [], "PayloadIdentifier": "org.example"],
      "configuration profile org.example"
    ),
    (
      "project.pbxproj",
      ["archiveVersion": "1", "objectVersion": "50", "rootObject": "A", "objects": [:]],
      "Xcode project"
    ),
    (
      "a.stringsdict", ["k": ["NSStringLocalizedFormatKey": "%#@n@"]],
      "plural rules for 1 string (stringsdict)"
    ),
    ("PrivacyInfo.xcprivacy", ["NSPrivacyTracking": false], "privacy manifest"),
    (
      "CodeResources", ["files2": [:], "rules2": [:]],
      "resources of a code signature (CodeResources)"
    ),
    ("a.webloc", ["URL": "https://example.org"], "web location"),
    ("a.webarchive", ["WebMainResource": [:]], "web archive"),
    (
      "a.tmTheme", ["name": "Dark", "settings": []], "TextMate theme"
    ),
    ("a.tmLanguage", ["scopeName": "source.x", "patterns": []], "TextMate grammar"),
    ("a.terminal", ["name": "Pro", "type": "Window Settings"], "Terminal settings"),
    ("a.itermcolors", ["Ansi 0 Color": [:]], "iTerm colors"),
    ("a.recipe", ["Identifier": "x", "Input": [:], "Process": []], "AutoPkg recipe"),
    ("info.plist", ["bundleid": "x", "connections": [:], "objects": []], "Alfred workflow"),
    ("document.wflow", ["AMApplicationVersion": "2", "actions": []], "Automator workflow"),
    ("a.xcspec", [["Identifier": "x"]], "Xcode specification"),
    ("a.glyphs", [".appVersion": "3", "glyphs": []], "Glyphs font source"),
    ("karabiner.json", ["global": [:], "profiles": []], "Karabiner configuration"),
    ("a.xcent", ["x": true], "entitlements"),
    ("org.example.player.plist", ["volume": 1], "preferences of domain org.example.player"),
    (
      "a.plist",
      [
        "$archiver": "NSKeyedArchiver", "$top": ["root": .uid(1)],
        "$objects": [
          "$null", ["$class": .uid(2)], ["$classname": "Person", "$classes": ["Person"]],
        ],
      ],
      "archive of class Person"
    ),
  ]

  @Test("tells what files seem to be", arguments: roles)
  func role(name: String, value: PlistValue, role: String) throws {
    try fixture.folder.write(Plist.write(value, as: .xml), to: name)
    let run = try Plutil.run(["-info", name], in: fixture.folder)
    #expect(run.text.contains("\n  seems to be: \(role)\n"), "\(run.text)")
    let json = try Plutil.run(["-info", "--json", name], in: fixture.folder)
    let object = try Plist.read(json.output, as: .json).value
    #expect(object[PlistKeyPath("seemsToBe")] == .string(role))
    #expect(object[PlistKeyPath("format")] == "xml1")
  }

  @Test("says nothing about the purpose of other files")
  func unknown() throws {
    try fixture.folder.write("{ a = 1; }", to: "some.plist")
    let run = try Plutil.run(["-info", "some.plist"], in: fixture.folder)
    #expect(!run.text.contains("seems to be"))
  }

  @Test("lists the property lists in folders")
  func folders() throws {
    try fixture.folder.makeFolder("f")
    try fixture.folder.write("{ k = v; }", to: "f/a.strings")
    try fixture.folder.write(Plist.write(["volume": 1], as: .binary), to: "f/org.example.a.plist")
    try fixture.folder.write("[", to: "f/bad.plist")
    let size = try fixture.folder.data("f/org.example.a.plist").count
    try fixture.expect(
      "-info f",
      output: """
        f/a.strings: OpenStep text, 10 bytes, strings table of 1 string
        f/org.example.a.plist: binary, \(size) bytes, preferences of domain org.example.a
        2 property lists of \(10 + size) bytes, 1 that cannot be read
          formats: 1 OpenStep text, 1 binary
          seem to be: 1 preferences, 1 strings table

        """,
      error: "f/bad.plist: line 1 column 1: the array is not closed (key path 0)\n", status: 1)
  }
}
