import Foundation
import Manifests
import PropertyList
import Testing

/// The documents of Fixtures/manifests.
enum ManifestFixture {
  /// Reads a document.
  static func value(_ name: String) throws -> PlistValue {
    let file = Bundle.module.bundleURL.appending(path: "Fixtures/manifests/xml/\(name)")
    return try Plist.read(try Data(contentsOf: file)).value
  }

  /// Reads a manifest.
  static func manifest(_ name: String) throws -> PreferencesManifest {
    try PreferencesManifest(value("\(name).plist"))
  }

  /// A manifest with a single key, of these properties.
  static func manifest(key properties: PlistDictionary) -> PlistValue {
    var key = properties
    if key["pfm_name"] == nil { key["pfm_name"] = "key" }
    return ["pfm_domain": "org.example", "pfm_subkeys": [.dictionary(key)]]
  }
}
