import Foundation
import Manifests
import PropertyList
import Testing

@Suite("Described values")
struct DescribedValueTests {
  typealias Key = PreferencesManifest.Key

  /// Types, texts and their values.
  static let texts: [(Key.ValueType?, PlistValue, PlistValue)] = [
    (.integer, "4", 4), (.integer, "four", "four"), (.real, "4", 4.0), (.boolean, "yes", true),
    (.date, "2001-01-01", .date(Date(timeIntervalSinceReferenceDate: 0))),
    (.data, "0aFF", .data(Data([10, 255]))), (.string, "4", "4"), (.url, "4", "4"), (nil, "4", "4"),
    (.array, "4", "4"), (.integer, 4.0, 4.0), (.boolean, 1, 1),
  ]

  @Test("have the types that are described", arguments: texts)
  func types(type: Key.ValueType?, value: PlistValue, expected: PlistValue) {
    #expect(Key("k", type: type).typed(value) == expected)
  }

  @Test("have the types that are described also in containers")
  func containers() {
    var list = Key("list", type: .array)
    list.subkeys = [Key(nil, type: .integer)]
    var table = Key("table", type: .dictionary)
    table.subkeys = [list, Key("{{value}}", type: .boolean)]
    #expect(
      table.typed(["list": ["1", 2, "x"], "other": "true"])
        == ["list": [1, 2, "x"], "other": true])
    // The type of an element with several alternatives cannot be determined.
    list.subkeys = [Key(nil, type: .dictionary), Key(nil, type: .dictionary)]
    #expect(list.typed([["a": "1"]]) == [["a": "1"]])
  }

  @Test("that are secret are hidden")
  func secrets() throws {
    var pin = Key("pin", type: .string)
    pin.isSensitive = true
    var account = Key("account", type: .dictionary)
    account.subkeys = [pin, Key("name", type: .string)]
    var list = Key("list", type: .array)
    list.subkeys = [account, Key(nil, type: .dictionary)]
    let manifest = PreferencesManifest(domain: "org.x", keys: [account, list, pin])
    #expect(
      manifest.hidingSecrets(in: [
        "account": ["pin": 1, "name": "a"], "list": [["pin": [2], "x": 3], 4], "pin": [5, 6],
        "other": ["pin": 7],
      ]) == [
        "account": ["pin": "secret", "name": "a"], "list": [["pin": "secret", "x": 3], 4],
        "pin": "secret", "other": ["pin": 7],
      ])
    pin.name = "{{value}}"
    #expect(
      PreferencesManifest(domain: "org.x", keys: [Key("known"), pin])
        .hidingSecrets(in: ["known": 1, "other": 2]) == ["known": 1, "other": "secret"])
    for (path, isSecret) in [
      ("account", false), ("account.pin", true), ("account.pin.x", true), ("account.name", false),
      ("list.0.pin", true), ("pin", true), ("other", false), ("", false),
    ] {
      #expect(manifest.isSecret(PlistKeyPath(path)) == isSecret, "\(path)")
    }
  }

  @Test("differ from the default or not")
  func defaults() {
    var key = Key("k", type: .real)
    #expect(key.differsFromDefault(1))
    key.defaultValue = 1
    #expect(!key.differsFromDefault(1.0))
    #expect(key.differsFromDefault(1.5))
    #expect(key.differsFromDefault("1"))
  }
}
