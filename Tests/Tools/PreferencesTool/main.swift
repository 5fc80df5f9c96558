import Preferences
import ToolSupport

// A tool that reads an integer of its preferences, `PreferencesTool <key>`, or sets it,
// `PreferencesTool <key> <integer>`, and ends.
let arguments = CommandLine.arguments
let store = PreferencesStore.standard
if arguments.count > 2, let value = Int(arguments[2]) {
  store.set(value, forKey: arguments[1])
  ToolEnd.exit(printing: value)
}
ToolEnd.exit(printing: store.integer(forKey: arguments[1]))
