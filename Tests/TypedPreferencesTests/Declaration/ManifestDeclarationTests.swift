import Foundation
import Manifests
import Preferences
import PropertyList
import Testing
import TypedPreferences

@Suite("The manifest of declared keys")
struct ManifestDeclarationTests {
  enum Level: Int, Codable, CaseIterable { case low = 1, high }
  enum Mode: String, Codable, CaseIterable { case fast, slow }

  struct Size: Codable {
    var width = 80
    var mode = Mode.fast
    var name: String?
    var note: Int?
    var places = [Place()]
  }

  struct Place: Codable { var url = URL(fileURLWithPath: "/srv"), weight: UInt8 = 0 }

  /// The description of a key without its name.
  private func description(_ key: any DeclaredPreference) -> PlistValue? {
    let manifest = PreferencesManifest("org.example.app", key)
    guard case .dictionary(let root) = manifest.propertyList,
      case .array(let keys)? = root["pfm_subkeys"],
      case .dictionary(var properties)? = keys.first
    else { return nil }
    #expect(properties.removeValue(forKey: "pfm_name") == "k")
    return .dictionary(properties)
  }

  private func key<Value: Codable & SendableMetatype>(_ value: Value) -> PreferenceKey<Value> {
    PreferenceKey("k", default: value, store: .inMemory())
  }

  @Test("Standard types have their types, and narrow integers their bounds")
  func standard() {
    #expect(description(key(true)) == ["pfm_type": "boolean", "pfm_default": true])
    #expect(description(key(1)) == ["pfm_type": "integer", "pfm_default": 1])
    #expect(
      description(key(UInt8(1)))
        == ["pfm_type": "integer", "pfm_default": 1, "pfm_range_min": 0, "pfm_range_max": 255])
    #expect(description(key(1.5)) == ["pfm_type": "real", "pfm_default": 1.5])
    #expect(description(key("a")) == ["pfm_type": "string", "pfm_default": "a"])
    #expect(
      description(PreferenceKey<Date?>("k", store: .inMemory())) == ["pfm_type": "date"])
    #expect(
      description(PreferenceKey<URL?>("k", store: .inMemory())) == ["pfm_type": "url"])
    #expect(
      description(PreferenceKey<Data?>("k", store: .inMemory())) == ["pfm_type": "data"])
  }

  @Test("Enumerations are lists, with names for raw values that are none")
  func enumerations() {
    #expect(
      description(key(Mode.slow))
        == [
          "pfm_type": "string", "pfm_default": "slow", "pfm_range_list": ["fast", "slow"],
        ])
    #expect(
      description(PreferenceKey<Level?>("k", store: .inMemory()))
        == [
          "pfm_type": "integer", "pfm_range_list": [1, 2],
          "pfm_range_list_titles": ["low", "high"],
        ])
  }

  @Test("Containers have what is in them, and Codable types their members, optional ones included")
  func containers() {
    #expect(
      description(PreferenceKey<Set<Mode>?>("k", store: .inMemory()))
        == [
          "pfm_type": "array",
          "pfm_subkeys": [["pfm_type": "string", "pfm_range_list": ["fast", "slow"]]],
        ])
    #expect(
      description(PreferenceKey<[String: [Int]]?>("k", store: .inMemory()))
        == [
          "pfm_type": "dictionary",
          "pfm_subkeys": [
            [
              "pfm_name": "{{value}}", "pfm_type": "array",
              "pfm_subkeys": [["pfm_type": "integer"]],
            ]
          ],
        ])
    let size: PlistValue = [
      ["pfm_name": "width", "pfm_type": "integer"],
      ["pfm_name": "mode", "pfm_type": "string", "pfm_range_list": ["fast", "slow"]],
      ["pfm_name": "name", "pfm_type": "string"],
      ["pfm_name": "note", "pfm_type": "integer"],
      [
        "pfm_name": "places", "pfm_type": "array",
        "pfm_subkeys": [
          [
            "pfm_type": "dictionary",
            "pfm_subkeys": [
              ["pfm_name": "url", "pfm_type": "url"],
              [
                "pfm_name": "weight", "pfm_type": "integer", "pfm_range_min": 0,
                "pfm_range_max": 255,
              ],
            ],
          ]
        ],
      ],
    ]
    let described = description(key(Size()))
    #expect(described?[PlistKeyPath("pfm_type")] == "dictionary")
    #expect(described?[PlistKeyPath("pfm_subkeys")] == size)
  }

  @Test("Traits are the other properties, and secrets have no default")
  func traits() throws {
    let manifest = PreferencesManifest(
      "org.example.notes", title: "Notes", description: "Keeps notes.",
      PreferenceKey<Int>(
        "tabWidth", default: 4, .title("Tab width"), .description("How wide."), .range(1...16),
        .unit("columns"), .environment("TAB_WIDTH"), .option("tab-width"), store: .inMemory()),
      PreferenceKey<String>("token", default: "x", .sensitive, store: .inMemory()),
      PreferenceKey<[String]>(
        "tags", default: [], .count(0...5), .placeholder("tag"), store: .inMemory()))
    #expect(
      manifest.propertyList
        == [
          "pfm_domain": "org.example.notes", "pfm_title": "Notes",
          "pfm_description": "Keeps notes.", "pfm_format_version": 1,
          "pfm_subkeys": [
            [
              "pfm_name": "tabWidth", "pfm_type": "integer", "pfm_title": "Tab width",
              "pfm_description": "How wide.", "pfm_default": 4, "pfm_range_min": 1,
              "pfm_range_max": 16, "pfm_value_unit": "columns",
              "pfm_note":
                "Also set by the option --tab-width and the environment variable TAB_WIDTH.",
            ],
            ["pfm_name": "token", "pfm_type": "string", "pfm_sensitive": true],
            [
              "pfm_name": "tags", "pfm_type": "array", "pfm_default": [],
              "pfm_repetition_min": 0, "pfm_repetition_max": 5, "pfm_value_placeholder": "tag",
              "pfm_subkeys": [["pfm_type": "string"]],
            ],
          ],
        ])
    #expect(PreferencesManifest.problems(in: manifest.propertyList) == [])
    #expect(try PreferencesManifest(manifest.propertyList).keys == manifest.keys)
  }
}
