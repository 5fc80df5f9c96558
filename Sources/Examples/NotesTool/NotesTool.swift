import Preferences
import TypedPreferences

/// A tool whose settings are declared once: their types and defaults, options, environment variables,
/// help, `config` command, and the manifest that its package installs.
///
///     swift run NotesTool --tab-width 8
///     swift run NotesTool config list
///     swift run NotesTool config set order title
///     swift run NotesTool --help
///     make manifest PREFIX=/tmp/notes
@main
enum NotesTool {
  static func main() {
    let command = PreferencesCommand(Settings.manifest)
    let arguments = command.start()
    if arguments == ["--help"] {
      return print(
        "usage: NotesTool [OPTION]...\n       NotesTool config list | describe KEY | get KEY |"
          + " set KEY VALUE | reset KEY...\n\n\(command.optionHelp)", terminator: "")
    }
    if let argument = arguments.first { command.refuse(argument) }

    let store = PreferencesStore.standard
    let window = store[Settings.window]
    print("notes in \(store[Settings.folder] ?? "memory"), by \(store[Settings.order])")
    print("window \(window.columns)x\(window.lines), tabs of \(store[Settings.tabWidth]) columns")
    print("new notes are tagged \(store[Settings.tags].sorted())")
    if !store[Settings.isQuiet] { print("hint: change this with NotesTool config set") }
  }
}
