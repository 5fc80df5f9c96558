import Preferences
import PropertyList

/// A player that keeps its volume and what it played last, with `Preferences` alone.
///
///     swift run PreferencesPlayer "So What"
///
/// `DefaultsPlayer`, `FoilPlayer` and `TypedDefaultsPlayer` are the same program with the other front
/// ends, and have the same file: what one of them has played, the next one tells.
@main
enum PreferencesPlayer {
  static func main() throws {
    try PreferencesStore.setApplication(identifier: "org.example.player")
    let store = PreferencesStore.standard
    store.register(defaults: ["volume": 0.5])

    print(
      "last: \(store.string(forKey: "last") ?? "nothing"), volume: \(store.double(forKey: "volume"))"
    )
    if let track = CommandLine.arguments.dropFirst().first {
      store.set(["last": .string(track), "volume": .real(store.double(forKey: "volume") + 0.125)])
    }
    // At the end of a process everything is saved, but only this says whether it could be.
    try store.flush()
  }
}
