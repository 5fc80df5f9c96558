import Defaults

extension Defaults.Keys {
  static let volume = Key<Double>("volume", default: 0.5)
  static let last = Key<String?>("last")
}

/// A player that keeps its volume and the last track, with `Defaults`: keys are declared once, with
/// their types and defaults.
///
///     swift run DefaultsPlayer "Blue in Green"
@main
enum DefaultsPlayer {
  static func main() throws {
    try PreferencesStore.setApplication(identifier: "org.example.player")

    print("last: \(Defaults[.last] ?? "nothing"), volume: \(Defaults[.volume])")
    if let track = CommandLine.arguments.dropFirst().first {
      Defaults[.last] = track
      Defaults[.volume] += 0.125
    }
    try PreferencesStore.standard.flush()
  }
}
