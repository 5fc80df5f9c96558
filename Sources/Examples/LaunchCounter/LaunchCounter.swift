import Preferences
import PropertyList

/// A tool that remembers how often it was started: the smallest that persists its preferences.
@main
enum LaunchCounter {
  static func main() throws {
    try PreferencesStore.setApplication(identifier: "org.example.launch-counter")
    let store = PreferencesStore.standard
    store.register(defaults: ["greeting": "Welcome"])

    // One step that no other process can come between: no launch is lost.
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
