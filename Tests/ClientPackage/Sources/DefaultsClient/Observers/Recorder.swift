import Defaults

extension Defaults.Keys {
  static let level = Key<Int>("level", default: 0)
  static let unit = Key<String>("unit", default: "m")
}

/// An actor that records what it receives.
actor Recorder {
  private(set) var levels: [Int] = []

  func record(until last: Int) async {
    for await level in Defaults.updates(.level) {
      levels.append(level)
      if level == last { return }
    }
  }

  func raise() -> Int {
    Defaults[.level] += 1
    return Defaults[.level]
  }
}

/// The first pair of values with this text.
func pair(with unit: String) async -> (level: Int, unit: String)? {
  for await (level, value) in Defaults.updates(.level, .unit) where value == unit {
    return (level, value)
  }
  return nil
}
