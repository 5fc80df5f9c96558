import Foundation
import Preferences
import PropertyList

/// Measures reading a value, compared with Foundation and a lookup under a lock.
enum GetMeasurements {
  private static let counts = [40, 1_000, 100_000]
  private static let kinds: [SampleDomain.Kind] = [.integer, .string, .boolean]

  static func measure(_ workspace: StoreWorkspace, _ findings: inout Findings) throws {
    for count in counts {
      Terminal.show("get, \(count) keys")
      let sample = SampleDomain(count: count)
      let (larder, foundation) = try workspace.open(sample, as: "get-\(count)")
      let mutex = MutexDictionary(sample)
      try larder.check(sample)
      try foundation.check(sample)
      try mutex.check(sample)

      for kind in kinds {
        let keys = sample.keys(of: kind)
        let pace = workspace.pace
        let rotating = [
          larder.reading(kind, keys, as: "Larder", pace),
          foundation.reading(kind, keys, as: "Foundation", pace),
          mutex.reading(kind, keys, as: "Mutex and Dictionary", pace),
        ]
        let literal = [
          larder.readingLiteral(kind, as: "Larder", pace),
          foundation.readingLiteral(kind, as: "Foundation", pace),
          mutex.readingLiteral(kind, as: "Mutex and Dictionary", pace),
        ]
        let name = "\(kind.description), \(count) keys"
        for (name, contenders) in [(name, rotating), (name + ", literal", literal)] {
          findings.addComparison(
            name, try takeTimes(of: contenders, rounds: pace.rounds),
            target: { isLimit($0) ? .atMost(1.5) : .atLeast(20) }, isLimit: isLimit)
        }
      }
    }
    try measureOthers(workspace, &findings)
  }

  private static func isLimit(_ timing: Timing) -> Bool { timing.name == "Mutex and Dictionary" }

  // MARK: Measurements without targets

  private static let registeredKey = "NSRegisteredDefaultOfWindows"
  private static let argumentKey = "NSArgumentOfTheCommandLine"

  private static func measureOthers(_ workspace: StoreWorkspace, _ findings: inout Findings) throws
  {
    Terminal.show("get, other values")
    let sample = SampleDomain(count: 1_000)
    let (larder, foundation) = try workspace.open(sample, as: "get-others")
    larder.register(defaults: [registeredKey: "registered"] as [String: Any])
    foundation.register(defaults: [registeredKey: "registered"])
    larder.setVolatileDomain([argumentKey: "argument"], forName: PreferencesStore.argumentDomain)
    foundation.setVolatileDomain([argumentKey: "argument"], forName: UserDefaults.argumentDomain)
    for (key, value) in [(registeredKey, "registered"), (argumentKey, "argument")] {
      try ensure(larder.string(forKey: key) == value, "Larder does not return \(key)")
      try ensure(foundation.string(forKey: key) == value, "Foundation does not return \(key)")
    }

    let pace = workspace.pace
    func compare(_ name: String, _ contenders: [Contender]) throws {
      findings.addComparison(
        name, try takeTimes(of: contenders, rounds: pace.rounds), isLimit: isLimit)
    }
    let longKeys = sample.keys(of: .longString)
    try compare(
      "\(SampleDomain.Kind.longString.description), 1000 keys",
      [
        larder.reading(.longString, longKeys, as: "Larder", pace),
        foundation.reading(.longString, longKeys, as: "Foundation", pace),
        MutexDictionary(sample).reading(.longString, longKeys, as: "Mutex and Dictionary", pace),
      ])
    for (name, key) in [
      ("a registered default", registeredKey), ("an argument", argumentKey),
    ] {
      try compare(
        "String, \(name)",
        [
          larder.reading(.string, [key], as: "Larder", pace),
          foundation.reading(.string, [key], as: "Foundation", pace),
        ])
    }
    for kind in [SampleDomain.Kind.integer, .string] {
      let keys = sample.keys(of: kind)
      try compare(
        "object(forKey:) of \(kind.description), 1000 keys",
        [
          .repeated("Larder", pace) { count in
            rotate(keys, count) { consume(larder.object(forKey: $0)) }
          },
          .repeated("Foundation", pace) { count in
            rotate(keys, count) { consume(foundation.object(forKey: $0)) }
          },
        ])
    }
    let keys = sample.keys(of: .integer)
    let loop = Contender.repeated("the loop alone", pace) { count in
      rotate(keys, count) { consume($0) }
    }
    findings.add("256 keys in turn", try takeTimes(of: [loop], rounds: pace.rounds)[0])
  }
}
