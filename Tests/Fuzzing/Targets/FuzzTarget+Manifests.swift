import Foundation
import Manifests
import PropertyList

extension FuzzTarget {
  /// A manifest in any format, or an array of a manifest and preferences. Other bytes are a pattern and
  /// texts, which NULs separate.
  static let manifests = FuzzTarget(name: "manifests") { data in
    guard let value = try? Plist.read(data).value else { return try checkPattern(data.words) }
    if case .array(let elements) = value, elements.count == 2 {
      try checkManifest(elements[0], with: elements[1])
    } else {
      try checkManifest(value, with: value)
    }
  }

  private static func checkManifest(_ value: PlistValue, with preferences: PlistValue) throws {
    let problems = PreferencesManifest.problems(in: value)
    for problem in problems { try expectLine(problem) }
    guard let manifest = try? PreferencesManifest(value) else {
      return try expect(problems.count == 1, "what is not a manifest has several problems")
    }
    let written = try PreferencesManifest(manifest.propertyList)
    try expect(written.keys == manifest.keys, "the keys are not read as they were written")
    try expect(written.domain == manifest.domain, "the domain is not read as it was written")
    let again = try PreferencesManifest(written.propertyList)
    try expect(again == written, "the manifest is not read as it was written")

    let checker = ManifestChecker(manifest)
    for preferences in [preferences, [:], .dictionary(defaults(of: manifest))] {
      let findings = checker.findings(in: preferences)
      try expect(findings.count <= 1000, "there are too many findings")
      for finding in findings {
        try expectLine(finding)
        let isTold = !finding.isSensitive || finding.allowedValues.isEmpty
        try expect(isTold, "values of a sensitive key are told")
      }
    }
  }

  private static func defaults(of manifest: PreferencesManifest) -> PlistDictionary {
    PlistDictionary(
      manifest.keys.compactMap { key in
        guard let name = key.name, let value = key.defaultValue else { return nil }
        return (name, value)
      })
  }

  private static func checkPattern(_ words: [String]) throws {
    let manifest: PlistValue = [
      "pfm_domain": "org.example",
      "pfm_subkeys": [
        [
          "pfm_name": "texts", "pfm_type": "array",
          "pfm_subkeys": [["pfm_type": "string", "pfm_format": .string(words[0])]],
        ]
      ],
    ]
    try checkManifest(manifest, with: ["texts": .array(words.map { .string($0) })])
  }
}
