import Preferences
import PropertyList

/// A player that keeps its volume and the last track, with `Preferences` alone.
///
///     swift run PreferencesPlayer "So What"
///
/// `DefaultsPlayer`, `FoilPlayer` and `TypedDefaultsPlayer` are the same program with the other
/// front ends, and share its file: each prints the last track that any of them has played.
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
    // Everything is saved when the process exits, but only this call reports whether that
    // succeeded.
    try store.flush()
  }
}
