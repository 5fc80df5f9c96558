import TypedDefaults

/// The track that was played last, under its own key.
struct LastTrack: DefaultConvertible {
  static let key = "last"
  var title: String

  init(title: String) { self.title = title }

  init?(_ object: Any) {
    guard let title = object as? String else { return nil }
    self.title = title
  }

  func serialize() -> Any { title }
}

struct Volume: DefaultConvertible {
  static let key = "volume"
  var level = 0.5

  init() {}

  init?(_ object: Any) {
    guard let level = object as? Double else { return nil }
    self.level = level
  }

  func serialize() -> Any { level }
}

/// A player that keeps its volume and the last track, with `TypedDefaults`: each type has a store,
/// which a test replaces by one in memory.
///
///     swift run TypedDefaultsPlayer "Freddie Freeloader"
@main
enum TypedDefaultsPlayer {
  static func main() throws {
    try PreferencesStore.setApplication(identifier: "org.example.player")
    play(
      CommandLine.arguments.dropFirst().first, AnyStore(PersistentStore<LastTrack>()),
      AnyStore(PersistentStore<Volume>()))
    try PreferencesStore.standard.flush()
  }

  private static func play(
    _ track: String?, _ last: AnyStore<LastTrack>, _ volume: AnyStore<Volume>
  ) {
    var present = volume.get() ?? Volume()
    print("last: \(last.get()?.title ?? "nothing"), volume: \(present.level)")
    guard let track else { return }
    last.set(LastTrack(title: track))
    present.level += 0.125
    volume.set(present)
  }
}
