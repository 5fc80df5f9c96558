import Foundation
import Manifests
import Preferences
import PropertyList
import TestSupport
import Testing
import TypedPreferences

@Suite("The config command")
struct PreferencesCommandTests {
  enum Theme: String, Codable, CaseIterable { case dark, light }
  struct Size: Codable {
    var width = 80
    var height = 24
  }

  private enum Keys {
    static let theme = PreferenceKey<Theme>("theme", default: .dark, .title("Colors"))
    static let size = PreferenceKey<Size>("size", default: Size())
    static let name = PreferenceKey<String?>("name", .description("Who writes"))
    static let count = PreferenceKey<Int>("count", default: 1, .range(1...16), .unit("copies"))
    static let token = PreferenceKey<String>(
      "token", default: "", .values(["a", "b", ""]), .sensitive)
    static let manifest = PreferencesManifest(
      "org.example.app", title: "App", theme, size, name, count, token)
  }

  private let folder: TemporaryFolder
  private let store: PreferencesStore
  private let command: PreferencesCommand

  init() throws {
    folder = try TemporaryFolder()
    store = PreferencesStore(fileAt: folder.path("app.plist"))
    command = PreferencesCommand(Keys.manifest, store: store)
  }

  private func check(
    _ words: String..., output: String = "", error: String = "", status: Int32 = 0,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(
      command.run(words)
        == PreferencesCommand.Outcome(status: status, output: output, error: error),
      sourceLocation: sourceLocation)
  }

  @Test("The list has values, types, limits, defaults and origins")
  func list() throws {
    check("set", "count", "8")
    check("set", "token", "a")
    check(
      output: """
        theme = dark
          Colors.
          "dark" or "light", default dark
          from the default

        size = {"height": 24, "width": 80}
          dictionary, default {"height": 24, "width": 80}
          from the default

        name has no value
          Who writes.
          string, no default
          not set

        count = 8
          integer, 1 to 16 copies, default 1
          from \(folder.path("app.plist"))

        token = (secret)
          string, secret
          from \(folder.path("app.plist"))

        """)
    check(
      "describe", "count",
      output: """
        count = 8
          integer, 1 to 16 copies, default 1
          from \(folder.path("app.plist"))

        """)
  }

  @Test("A value is set from its text, printed in the same form, and reset")
  func setting() throws {
    check("set", "theme", "light")
    check("get", "theme", output: "light\n")
    check("set", "size", #"{"width": 100}"#)
    check("get", "size", output: #"{"height": 24, "width": 100}"# + "\n")
    check("set", "size", #"{"height": 50}"#)
    check("get", "size", output: #"{"height": 50, "width": 100}"# + "\n")
    check("set", "name", "-1 (one)")
    check("get", "name", output: "-1 (one)\n")
    #expect(store[Keys.theme] == .light)
    #expect(store[Keys.size].width == 100)
    #expect(try folder.text("app.plist").contains("-1 (one)"))
    check("reset", "name", "theme")
    check("get", "name", error: "name has no value\n", status: 1)
    check("get", "theme", output: "dark\n")
  }

  @Test(
    "What a user gets wrong is answered in a line",
    arguments: [
      (["set", "count", "17"], "count: expected 1 to 16 copies", 1),
      (["set", "count", "many"], "count: expected an integer, 1 to 16 copies", 1),
      (["set", "theme", "drak"], #"theme: expected "dark" or "light""#, 1),
      (["set", "size", "80"], "size: expected a dictionary", 1),
      (["set", "size", #"{"width": "x"}"#], "size.width: expected an integer", 1),
      (["set", "size", #"{"widht": 3}"#], #"size.widht: expected "width" or "height""#, 1),
      (["set", "token", "c"], "token: expected one of the allowed values", 1),
      (["set", "conut", "1"], "unknown key conut; did you mean count?", 1),
      (["reset", "theme", "zzz"], "unknown key zzz", 1),
      (["get", "token"], "token: the value is secret and is not printed", 1),
      (["get"], "usage: config list | describe KEY | get KEY | set KEY VALUE | reset KEY...", 2),
      (["gte", "count"], "unknown command gte; did you mean get?", 2),
    ])
  func errors(_ words: [String], text: String, status: Int32) {
    #expect(
      command.run(words) == PreferencesCommand.Outcome(status: status, error: text + "\n"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("app.plist")))
  }

  @Test("A stored value that is wrong is shown with its problem and the default")
  func problem() throws {
    store.set(99, forKey: "count")
    check(
      "describe", "count",
      output: """
        count = 1
          integer, 1 to 16 copies, default 1
          from the default
          cannot be read as Int: expected 1 to 16 copies

        """)
  }

  @Test("Elements that cannot be read are left out, as in the program")
  func unreadableElement() throws {
    let tags = PreferenceKey<[String]>("tags", default: ["home"], store: store)
    let command = PreferencesCommand(PreferencesManifest("org.example.app", tags), store: store)
    store.set(["a", 1] as [Any], forKey: "tags")
    #expect(store[tags] == ["a"])
    #expect(try command.get("tags") == #"["a"]"#)
  }

  @Test("Help is the usage")
  func help() {
    let usage = "usage: config list | describe KEY | get KEY | set KEY VALUE | reset KEY...\n"
    check("help", output: usage)
    check("--help", output: usage)
  }

  @Test("A store that cannot be changed says so")
  func readOnly() throws {
    var options = PreferencesStore.Options()
    options.isReadOnly = true
    options.arguments = []
    options.usesPrivateRegistrationDomain = true
    let path = folder.path("fixed.plist")
    let command = PreferencesCommand(
      Keys.manifest, store: PreferencesStore(fileAt: path, options: options))
    #expect(
      command.run(["set", "count", "2"])
        == PreferencesCommand.Outcome(status: 1, error: "\(path): the store is read-only\n"))
  }

  @Test("A manifest that was read from a document has the same command")
  func document() throws {
    let manifest = try PreferencesManifest(Keys.manifest.propertyList)
    let command = PreferencesCommand(manifest, store: store)
    #expect(command.run(["set", "count", "8"]) == PreferencesCommand.Outcome())
    #expect(command.run(["get", "count"]) == PreferencesCommand.Outcome(output: "8\n"))
    #expect(try command.get("theme") == "dark")
    #expect(
      command.run(["set", "count", "17"])
        == PreferencesCommand.Outcome(status: 1, error: "count: expected 1 to 16 copies\n"))
    #expect(
      command.run(["set", "theme", "blue"])
        == PreferencesCommand.Outcome(
          status: 1, error: "theme: expected \"dark\" or \"light\"\n"))
  }
}
