import Foundation
import Preferences
import PropertyList
import Testing
import TypedPreferences

@Suite("Options and variables of declared keys")
struct DeclaredOptionTests {
  private enum Keys {
    static let width = PreferenceKey<Int>(
      "width", default: 4, .range(1...16), .environment("APP_WIDTH"), .option("width"))
    static let frame = PreferenceKey<Bool>("frame", default: true, .option("frame"))
    static let tags = PreferenceKey<[String]>("tags", default: [], .count(0...2), .option("tag"))
    static let since = PreferenceKey<Date?>("since", .option("since"), .environment("APP_SINCE"))
    static let ports = PreferenceKey<Set<UInt16>?>("ports", .environment("APP_PORTS"))
    static let manifest = PreferencesManifest(
      "org.example.app", width, frame, tags, since, ports)
  }

  private func options(
    _ arguments: [String], _ variables: [String: String] = [:]
  ) throws -> (PreferencesStore, rest: [String]) {
    var options = PreferencesStore.Options()
    options.environment = EnvironmentOptions(prefix: "OTHER_")
    options.environment?.variables = variables
    let rest = try options.declare(Keys.manifest, arguments: arguments)
    return (PreferencesStore.inMemory(options: options), rest)
  }

  @Test("Declared options are taken out of the command line; the others stay")
  func parsing() throws {
    let (store, rest) = try options(
      ["list", "--width=8", "--no-frame", "-x", "--tag", "a", "--other=1", "--", "--width", "9"])
    #expect(rest == ["list", "-x", "--other=1", "--", "--width", "9"])
    #expect(store[Keys.width] == 8)
    #expect(store[Keys.frame] == false)
    #expect(store[Keys.tags] == ["a"])
    #expect(store.origin(forKey: "width")?.description == "argument --width: 8")
    #expect(store.snapshot().origins(forKey: "frame").first?.layer.source == "--no-frame")
  }

  @Test(
    "Later options count, and elements are put together",
    arguments: [
      (["--width", "8", "--width", "9"], 9, true, []),
      (["--no-frame", "--frame"], 4, true, []),
      (["--frame=off"], 4, false, []),
      (["--tag", "a", "--tag=b"], 4, true, ["a", "b"]),
      (["--tag", "a, b"], 4, true, ["a", "b"]),
      ([#"--tag=["a, b"]"#], 4, true, ["a, b"]),
    ])
  func values(_ arguments: [String], width: Int, frame: Bool, tags: [String]) throws {
    let (store, rest) = try options(arguments)
    #expect(rest == [])
    #expect(store[Keys.width] == width)
    #expect(store[Keys.frame] == frame)
    #expect(store[Keys.tags] == tags)
  }

  @Test(
    "A wrong option is an error that says what was expected",
    arguments: [
      (["--width=17"], "--width: expected 1 to 16"),
      (["--width=x"], "--width: expected an integer, 1 to 16"),
      (["--width=0x8"], "--width: expected an integer, 1 to 16"),
      (["--width"], "--width needs a value: an integer, 1 to 16"),
      (["--frame=maybe"], "--frame: expected a boolean"),
      (["--no-frame=1"], "--no-frame: expected no value"),
      (["--tag=a", "--tag=b,c"], "--tag: expected 0 to 2 elements"),
      (["--since=today"], "--since: expected a date"),
    ])
  func errors(_ arguments: [String], text: String) {
    let error = #expect(throws: PreferencesCommandError.self) { try options(arguments) }
    #expect(error?.description == text)
    #expect(error?.status == 2)
  }

  @Test("Variables are read by their declarations, also without a default")
  func variables() throws {
    let (store, _) = try options(
      [],
      [
        "APP_WIDTH": "12", "APP_SINCE": "2024-03-01", "APP_PORTS": "80,443", "OTHER_COLOR": "red",
      ])
    #expect(store[Keys.width] == 12)
    #expect(store[Keys.since] == Date(timeIntervalSince1970: 1_709_251_200))
    #expect(store[Keys.ports] == [80, 443])
    #expect(store.string(forKey: "color") == "red")
    #expect(store.origin(forKey: "width")?.description == "environment APP_WIDTH: 12")
  }

  @Test("A variable with a wrong value is reported and ignored, and validation throws")
  func wrongVariable() throws {
    let (store, _) = try options([], ["APP_WIDTH": "40"])
    #expect(store[Keys.width] == 4)
    let error = #expect(throws: PreferencesError.self) {
      store.register(defaults: ["width": 4])
      try store.validate()
    }
    #expect(
      error?.description
        == "the environment variable APP_WIDTH, width: expected 1 to 16, found a string")
  }

  @Test("The plain setters of a store are held to the limits")
  func setters() throws {
    let (store, _) = try options([])
    let error = #expect(throws: PreferencesError.self) { try store.setAny(40, forKey: "width") }
    #expect(
      error?.description == "InMemory, width: refused by the program: expected 1 to 16")
    try store.setAny("anything", forKey: "other")
  }

  @Test("The help has two lines for each option")
  func help() {
    #expect(
      PreferencesCommand(Keys.manifest).optionHelp == """
          --width <number>
              (integer, 1 to 16, default 4, environment APP_WIDTH)
          --[no-]frame
              (boolean, default true)
          --tag <list>
              (array of strings, 0 to 2 elements, default [])
          --since <date>
              (date, no default, environment APP_SINCE)

        """)
  }
}
