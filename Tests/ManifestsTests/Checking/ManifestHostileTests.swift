import Foundation
import PropertyList
import Testing

@testable import Manifests

@Suite("A hostile manifest")
struct ManifestHostileTests {
  @Test("is read to a limited depth")
  func depth() throws {
    var key: PlistDictionary = ["pfm_name": "a", "pfm_type": "integer"]
    for _ in 0..<200 {
      key = ["pfm_name": "a", "pfm_type": "dictionary", "pfm_subkeys": [.dictionary(key)]]
    }
    let value = ManifestFixture.manifest(key: key)
    let path = Array(repeating: "pfm_subkeys.0.", count: 64).joined() + "pfm_subkeys"
    let found = PreferencesManifest.problems(in: value)
    #expect(found.map(\.message) == ["descriptions are nested in more than 64 levels"])
    #expect(found.map(\.keyPath) == [PlistKeyPath(path)])
    // Below that depth, anything is accepted.
    var preferences: PlistValue = "x"
    for _ in 0..<200 { preferences = ["a": preferences] }
    let checker = ManifestChecker(try PreferencesManifest(value))
    #expect(checker.findings(in: preferences) == [])
  }

  @Test("that repeats shared parts is read to a limited number of descriptions")
  func sharing() throws {
    var keys: PlistValue = [["pfm_name": "leaf", "pfm_type": "string"]]
    for level in 0..<40 {
      let first: PlistValue = [
        "pfm_name": .string("\(level)a"), "pfm_type": "dictionary", "pfm_subkeys": keys,
      ]
      let second: PlistValue = [
        "pfm_name": .string("\(level)b"), "pfm_type": "dictionary", "pfm_subkeys": keys,
      ]
      keys = [first, second]
    }
    let value: PlistValue = ["pfm_domain": "d", "pfm_subkeys": keys]
    let found = PreferencesManifest.problems(in: value)
    #expect(found.count { $0.message == "there are more than 100000 descriptions" } == 1)
    #expect(found.count <= 1000)
    let checker = ManifestChecker(try PreferencesManifest(value))
    #expect(checker.findings(in: ["x": 1]).map(\.description) == ["unknown key (key path x)"])
  }

  @Test("with a long pattern that many keys share is prepared once")
  func sharedPattern() throws {
    let pattern = PlistValue.string(
      "[" + (0..<4000).map { _ in "a-z" }.joined().prefix(9000) + "]*")
    let keys = (0..<20_000).map { index -> PlistValue in
      ["pfm_name": .string("key\(index)"), "pfm_format": pattern, "pfm_default": "A"]
    }
    let value: PlistValue = ["pfm_domain": "d", "pfm_subkeys": .array(keys)]
    let found = PreferencesManifest.problems(in: value)
    #expect(found.count == 1000)
    #expect(found.first?.keyPath == PlistKeyPath("pfm_subkeys.0.pfm_default"))
  }

  @Test("with an expensive pattern is not matched against everything")
  func steps() throws {
    let manifest = ManifestFixture.manifest(key: [
      "pfm_type": "array",
      "pfm_subkeys": [["pfm_type": "string", "pfm_format": "(a?){900}a{900}"]],
    ])
    let texts = Array(
      repeating: PlistValue.string(String(repeating: "a", count: 1000)), count: 5000)
    let findings = ManifestChecker(try PreferencesManifest(manifest)).findings(
      in: ["key": .array(texts)], budget: ManifestPass.Budget(steps: 1_000_000))
    #expect(
      findings.map(\.message) == ["not checked against the pattern, which would take too long"])
    #expect(findings.map(\.severity) == [.note])
  }

  @Test("with expensive defaults is read in bounded time")
  func defaults() throws {
    let text = PlistValue.string(String(repeating: "a", count: 1000))
    let keys = (0..<3000).map { index -> PlistValue in
      ["pfm_name": .string("key\(index)"), "pfm_format": "(a?){900}a{900}", "pfm_default": text]
    }
    var reader = ManifestReader(budget: ManifestPass.Budget(steps: 1_000_000))
    let manifest = try reader.read(["pfm_domain": "d", "pfm_subkeys": .array(keys)])
    #expect(manifest.keys.count == 3000)
    #expect(reader.problems == [])
  }

  @Test("with nested alternatives is checked in bounded time")
  func alternatives() throws {
    func alternatives(_ level: Int) -> PlistValue {
      let inner: [PlistValue] =
        level == 0
        ? []
        : [
          ["pfm_name": "a", "pfm_type": "array", "pfm_subkeys": alternatives(level - 1)]
        ]
      return .array(
        ["x", "y"].map { kind in
          let kinds: PlistValue = [
            "pfm_name": "kind", "pfm_type": "string", "pfm_range_list": [.string(kind)],
          ]
          return ["pfm_type": "dictionary", "pfm_subkeys": .array([kinds] + inner)]
        })
    }
    let manifest = ManifestFixture.manifest(key: [
      "pfm_type": "array", "pfm_subkeys": alternatives(12),
    ])
    var value: PlistValue = ["kind": "y"]
    for _ in 0..<12 {
      // The property that distinguishes the alternatives comes last.
      value = ["a": .array(Array(repeating: value, count: 2)), "kind": "y"]
    }
    let checker = ManifestChecker(try PreferencesManifest(manifest))
    // The whole would be 16 million visits.
    let findings = checker.findings(
      in: ["key": [value]], budget: ManifestPass.Budget(visits: 100_000))
    #expect(
      findings.map(\.message) == ["the rest is not checked, which would take too long"])
    #expect(findings.map(\.severity) == [.note])
  }

  @Test("reports a limited number of findings, and compares few unknown keys")
  func findings() throws {
    let keys = (0..<5000).map { index -> PlistValue in
      ["pfm_name": .string("known\(index)"), "pfm_type": "string"]
    }
    let manifest = try PreferencesManifest(["pfm_domain": "d", "pfm_subkeys": .array(keys)])
    let value = PlistValue.dictionary(
      PlistDictionary((0..<20_000).map { ("unknwon\($0)", PlistValue.integer(1)) }))
    let findings = ManifestChecker(manifest).findings(in: value)
    #expect(findings.count == 1000)
    #expect(findings.count { $0.nearestName != nil } <= 100)
    #expect(findings.allSatisfy { $0.kind == .unknownKey })
  }
}
