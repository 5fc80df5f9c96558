import TypedDefaults

/// The configuration of a player.
struct PlaybackConfig: DefaultsConvertible, Equatable {
  enum Repeat: Int {
    case none, one, all
  }

  var isShuffled: Bool
  var mode: Repeat

  // MARK: DefaultConvertible

  static let key = "PlaybackConfig"

  init?(_ object: Any) {
    guard let entries = object as? [String: Any] else { return nil }
    isShuffled = entries["shuffled"] as? Bool ?? true
    if let raw = entries["mode"] as? Int, let mode = Repeat(rawValue: raw) {
      self.mode = mode
    } else {
      mode = .one
    }
  }

  func serialize() -> Any {
    ["shuffled": isShuffled, "mode": mode.rawValue]
  }
}
