import Defaults
import Foundation
import Manifests
import Preferences
import PropertyList
import TestSupport
import Testing
import TypedPreferences

extension Defaults.Keys {
  fileprivate static let traitWidth = Key<Int>(
    "traitWidth", default: 4, .title("Tab width"), .range(1...16), .option("trait-width"))
  fileprivate static let traitName = Key<String?>("traitName", .title("Name"))
  fileprivate static let traitMade = Key<String>("traitMade", .title("Made")) { "made" }
}

@Suite("Keys with traits")
struct TraitTests {
  enum Plain: String, CaseIterable, Defaults.Serializable { case dark, light }
  enum Coded: String, CaseIterable, Codable, Defaults.Serializable { case dark, light }
  struct Size: Codable, Defaults.Serializable {
    var width = 80
    var name: String?
  }
  struct Place: Codable, Defaults.Serializable, Defaults.PreferPlist { var row = 1 }

  private let store = PreferencesStore.inMemory()

  private func description<Value>(_ key: Defaults.Key<Value>) -> PlistDictionary? {
    guard case .dictionary(let root) = PreferencesManifest("d", key).propertyList,
      case .array(let keys)? = root["pfm_subkeys"], case .dictionary(let first)? = keys.first
    else { return nil }
    return first
  }

  @Test("Limits hold for subscripts and strict access")
  func limits() throws {
    let log = ErrorLog()
    let key = Defaults.Key<Int>(log.key, default: 4, .range(1...16), suite: store)
    Defaults[key] = 17
    #expect(Defaults[key] == 4)
    store.set(99, forKey: log.key)
    #expect(Defaults[key] == 4)
    #expect(
      log.messages == [
        "cannot be stored: expected 1 to 16", "cannot be read: expected 1 to 16",
      ])
    #expect(throws: Defaults.Failure.self) { try key.store(0) }
    try key.store(16)
    #expect(try key.load() == 16)
  }

  @Test("Keys are listed as static members, in every kind")
  func listing() {
    let manifest = PreferencesManifest(
      "org.example.app", title: "App", .traitWidth, .traitName, .traitMade)
    #expect(
      manifest.propertyList
        == [
          "pfm_domain": "org.example.app", "pfm_title": "App", "pfm_format_version": 1,
          "pfm_subkeys": [
            [
              "pfm_name": "traitWidth", "pfm_type": "integer", "pfm_title": "Tab width",
              "pfm_default": 4, "pfm_range_min": 1, "pfm_range_max": 16,
              "pfm_note": "Also set by the option --trait-width.",
            ],
            ["pfm_name": "traitName", "pfm_type": "string", "pfm_title": "Name"],
            ["pfm_name": "traitMade", "pfm_type": "string", "pfm_title": "Made"],
          ],
        ])
  }

  @Test("Enumerations list what is stored, and the raw values that are also read")
  func enumerations() throws {
    let plain = description(Defaults.Key<Plain>("k", default: .dark, suite: store))
    #expect(plain?["pfm_range_list"] == ["dark", "light"])
    let key = Defaults.Key<Coded>("coded", default: .dark, suite: store)
    #expect(description(key)?["pfm_range_list"] == ["dark", "light", #""dark""#, #""light""#])
    let command = PreferencesCommand(PreferencesManifest("d", key), store: store)
    try command.set("coded", to: "light")
    #expect(Defaults[key] == .light)
    #expect(store.string(forKey: "coded") == #""light""#)
    #expect(try command.get("coded") == "light")
    #expect(
      command.run(["set", "coded", "blue"]).error == #"coded: expected "dark" or "light""# + "\n")
  }

  @Test("Codable types have their members, and no type if they are stored as JSON")
  func structures() throws {
    let key = Defaults.Key<Size>("size", default: Size(), suite: store)
    let json = description(key)
    #expect(json?["pfm_type"] == nil)
    #expect(
      json?["pfm_subkeys"] == [
        ["pfm_name": "width", "pfm_type": "integer"], ["pfm_name": "name", "pfm_type": "string"],
      ])
    let plist = description(Defaults.Key<Place>("k", default: Place(), suite: store))
    #expect(plist?["pfm_type"] == "dictionary")
    let command = PreferencesCommand(PreferencesManifest("d", key), store: store)
    try command.set("size", to: #"{"width": 9}"#)
    #expect(Defaults[key].width == 9)
    #expect(
      command.run(["set", "size", #"{"width": "x"}"#]).error
        == "size.width: expected an integer\n")
    try PreferencesManifest("d", key).check(["size": #"{"width":7}"#])
  }

  @Test(
    "A key of the standard store is in the store that replaces it")
  func replacement() {
    PreferencesStore.withStandard(.inMemory()) {
      Defaults[.traitWidth] = 8
      #expect(Defaults[.traitWidth] == 8)
      #expect(PreferencesStore.standard.integer(forKey: "traitWidth") == 8)
    }
    #expect(Defaults[.traitWidth] == 4)
    #expect(PreferencesStore.standard.integer(forKey: "traitWidth") == 4)
  }

  @Test("Keys of a namespace have traits")
  func namespace() throws {
    let key = Defaults.Namespace("net", suite: store).key("retries", default: 1, .range(0...5))
    #expect(key.name == "net.retries")
    #expect(throws: Defaults.Failure.self) { try key.store(6) }
  }
}
