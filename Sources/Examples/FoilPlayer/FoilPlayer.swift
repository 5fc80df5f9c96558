import Foil

/// The preferences of the player, as properties.
struct Settings: Sendable {
  @FoilDefaultStorage(key: "volume") var volume = 0.5
  @FoilDefaultStorageOptional(key: "last") var last: String?
}

/// A player that keeps its volume and the last track, with `Foil`: properties are wrapped, and
/// setting one does not mutate the structure.
///
///     swift run FoilPlayer "All Blues"
@main
enum FoilPlayer {
  static func main() throws {
    try PreferencesStore.setApplication(identifier: "org.example.player")
    let settings = Settings()

    print("last: \(settings.last ?? "nothing"), volume: \(settings.volume)")
    if let track = CommandLine.arguments.dropFirst().first {
      settings.last = track
      settings.volume += 0.125
    }
    try PreferencesStore.standard.flush()
  }
}
