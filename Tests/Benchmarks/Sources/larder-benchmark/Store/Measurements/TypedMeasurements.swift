import Defaults
import Foundation
import Preferences
import PropertyList

/// Measures typed keys, compared with the getters and setters of the store.
enum TypedMeasurements {
  private struct Window: Codable, Defaults.Serializable {
    var title = "Untitled"
    var width = 640
    var tags = ["one", "two", "three"]
  }

  static func measure(_ workspace: StoreWorkspace, _ findings: inout Findings) throws {
    Terminal.show("typed keys")
    let sample = SampleDomain(count: 1_000)
    try workspace.write(sample.values, to: "org.example.typed")
    let store = try workspace.larder("org.example.typed")
    try store.check(sample)
    let integerName = SampleDomain.Kind.integer.fixedKey
    let stringName = SampleDomain.Kind.string.fixedKey
    let booleanName = SampleDomain.Kind.boolean.fixedKey
    let integer = Defaults.Key<Int>(integerName, default: 0, suite: store)
    let string = Defaults.Key<String>(stringName, default: "", suite: store)
    let boolean = Defaults.Key<Bool>(booleanName, default: false, suite: store)
    let window = Defaults.Key<Window>("window", default: Window(), suite: store)
    try ensure(
      Defaults[integer] == store.integer(forKey: integerName)
        && Defaults[string] == store.string(forKey: stringName)
        && Defaults[boolean] == store.bool(forKey: booleanName),
      "typed keys return different values than the store")

    let pace = workspace.pace
    func compare(
      _ name: String, store: @escaping (Int) -> Void, typed: @escaping (Int) -> Void
    ) throws {
      let timings = try takeTimes(
        of: [.repeated("Defaults[key]", pace, typed), .repeated("store", pace, store)],
        rounds: pace.rounds)
      findings.addComparison(name, timings) { _ in
        .atMost(1.5)
      } isLimit: { _ in
        true
      }
    }
    try compare("get Int, 1000 keys") { count in
      for _ in 0..<count { consume(store.integer(forKey: SampleDomain.Kind.integer.fixedKey)) }
    } typed: { count in
      for _ in 0..<count { consume(Defaults[integer]) }
    }
    try compare("get String of 10, 1000 keys") { count in
      for _ in 0..<count { consume(store.string(forKey: SampleDomain.Kind.string.fixedKey)) }
    } typed: { count in
      for _ in 0..<count { consume(Defaults[string]) }
    }
    try compare("get Bool, 1000 keys") { count in
      for _ in 0..<count { consume(store.bool(forKey: SampleDomain.Kind.boolean.fixedKey)) }
    } typed: { count in
      for _ in 0..<count { consume(Defaults[boolean]) }
    }
    var number = 1_000_000
    try compare("set Int, 1000 keys") { count in
      for _ in 0..<count {
        number &+= 1
        store.set(number, forKey: SampleDomain.Kind.integer.fixedKey)
      }
    } typed: { count in
      for _ in 0..<count {
        number &+= 1
        Defaults[integer] = number
      }
    }
    Defaults[window] = Window(title: "Letter", width: 800, tags: ["one"])
    let coded = Contender.repeated("Defaults[key]", pace) { count in
      for _ in 0..<count { consume(Defaults[window].width) }
    }
    findings.add("get Codable", try takeTimes(of: [coded], rounds: pace.rounds)[0])
    try store.flush()
  }
}
