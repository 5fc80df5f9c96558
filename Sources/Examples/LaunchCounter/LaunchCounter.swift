import Preferences
import PropertyList

/// A minimal tool with persistent preferences: it counts how often it was launched.
///
///     swift run LaunchCounter
///
/// It shows a registered default, and an update that is atomic across processes. Another process can
/// change the greeting: `defaults write org.example.launch-counter greeting Hello`.
@main
enum LaunchCounter {
  static func main() throws {
    try PreferencesStore.setApplication(identifier: "org.example.launch-counter")
    let store = PreferencesStore.standard
    store.register(defaults: ["greeting": "Welcome"])

    // The update is atomic across processes, so no launch is lost.
    let launches = try store.update { values -> Int64 in
      guard case .integer(let earlier)? = values["launches"] else {
        values["launches"] = 1
        return 1
      }
      values["launches"] = .integer(earlier + 1)
      return earlier + 1
    }
    print("\(store.string(forKey: "greeting") ?? ""), this is launch \(launches).")
  }
}
