import Preferences
import TypedPreferences

/// The sort key of the notes.
enum SortOrder: String, Codable, CaseIterable {
  case created, changed, title
}

/// The size of the editor's window.
struct WindowSize: Codable {
  var columns = 80
  var lines = 24
}

/// The declaration: everything that the program, its command line, its texts and its manifest say about
/// the settings comes from here.
enum Settings {
  static let order = PreferenceKey<SortOrder>(
    "order", default: .changed, .title("Order of the notes"), .option("order"))
  static let tabWidth = PreferenceKey<Int>(
    "tabWidth", default: 4, .title("Tab width"), .description("How far a tab goes in the editor"),
    .range(1...16), .unit("columns"), .environment("NOTES_TAB_WIDTH"), .option("tab-width"))
  static let window = PreferenceKey<WindowSize>(
    "window", default: WindowSize(), .title("Size of the editor's window"))
  static let tags = PreferenceKey<Set<String>>(
    "tags", default: [], .title("Tags of new notes"), .count(0...5), .option("tags"))
  static let folder = PreferenceKey<String?>(
    "folder", .title("Folder of the notes"), .environment("NOTES_FOLDER"), .option("folder"),
    .placeholder("folder"))
  static let isQuiet = PreferenceKey<Bool>(
    "isQuiet", default: false, .title("Print no hints"), .option("quiet"))
  static let token = PreferenceKey<String?>(
    "token", .title("Token of the server"), .environment("NOTES_TOKEN"), .sensitive)

  static let manifest = PreferencesManifest(
    "org.example.notes", title: "Notes", order, tabWidth, window, tags, folder, isQuiet, token)
}
