import Foundation
import Manifests
import Preferences
import PropertyList
import TestSupport
import Testing
import TypedPreferences

@Suite("A manifest as the check of a store")
struct ManifestCheckTests {
  struct Listen: Codable {
    var port = 80
    var host = "localhost"
  }

  private let manifest = PreferencesManifest(
    "org.example.server",
    PreferenceKey<Listen>("listen", default: Listen(), store: .inMemory()),
    PreferenceKey<Int>("threads", default: 4, .range(1...64), store: .inMemory()),
    PreferenceKey<String>("token", default: "", .format("[a-f]+"), .sensitive, store: .inMemory()))
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func document(_ threads: String, port: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0">
    <dict>
      <key>listen</key>
      <dict>
        <key>port</key>
        \(port)
      </dict>
      <key>threads</key>
      <integer>\(threads)</integer>
    </dict>
    </plist>
    """
  }

  @Test("A reload that it refuses names key paths and lines, and the last good values stay")
  func reload() throws {
    let path = folder.path("server.plist")
    var options = PreferencesStore.Options()
    options.arguments = []
    options.usesPrivateRegistrationDomain = true
    options.isReadOnly = true
    options.check = manifest.check
    try folder.write(document("8", port: "<integer>81</integer>"), to: "server.plist")
    let store = PreferencesStore(fileAt: path, options: options)
    #expect(store.integer(forKey: "threads") == 8)

    try folder.write(document("800", port: "<string>http</string>"), to: "server.plist")
    store.synchronize()
    #expect(
      store.problems.map(\.description) == [
        "\(path): refused by the program: line 6, listen.port: expected an integer;"
          + " line 9, threads: expected 1 to 64"
      ])
    #expect(store.integer(forKey: "threads") == 8)

    try folder.write(document("9", port: "<integer>82</integer>"), to: "server.plist")
    store.synchronize()
    #expect(store.problems == [])
    #expect(store.integer(forKey: "threads") == 9)
  }

  @Test("Binary files have no lines, and secrets are not told")
  func binary() throws {
    let path = folder.path("server.plist")
    try folder.write(
      try Plist.write(["threads": 0, "token": "xyz"], as: .binary), to: "server.plist")
    var options = PreferencesStore.Options()
    options.arguments = []
    options.check = manifest.check
    let store = PreferencesStore(fileAt: path, options: options)
    store.synchronize()
    #expect(
      store.problems.map(\.description) == [
        "\(path): refused by the program: threads: expected 1 to 64;"
          + " token: expected a text that matches the pattern [a-f]+"
      ])
  }

  @Test("Keys of a document are checked by its description, and required ones must be there")
  func document() throws {
    let manifest = try PreferencesManifest([
      "pfm_domain": "org.example.server",
      "pfm_subkeys": [
        ["pfm_name": "port", "pfm_type": "integer", "pfm_range_max": 65535],
        ["pfm_name": "host", "pfm_type": "string", "pfm_require": "always"],
      ],
    ])
    let error = #expect(throws: ManifestRefusal.self) {
      try manifest.check(["port": 99999, "other": 1])
    }
    #expect(
      error?.description == "port: expected at most 65535; host: the required key is missing")
    try manifest.check(["port": 80, "host": "x"])
  }

  @Test("A refusal of many values ends with their number")
  func many() throws {
    let keys = (0..<12).map { PreferencesManifest.Key("k\($0)", type: .integer) }
    let manifest = PreferencesManifest(domain: "d", keys: keys)
    let values = PlistDictionary((0..<12).map { ("k\($0)", "x") })
    let error = #expect(throws: ManifestRefusal.self) { try manifest.check(values) }
    #expect(error?.description.hasSuffix("k9: expected an integer; 2 more") == true)
    #expect(error?.problems.count == 12)
  }
}
