import Preferences
import ToolSupport

// A tool that reads an integer of its preferences, `PreferencesTool <key>`, or sets it,
// `PreferencesTool <key> <integer>`, and ends. Without arguments it reads `key`.
let arguments = CommandLine.arguments
let key = arguments.count > 1 ? arguments[1] : "key"
let store = PreferencesStore.standard
if arguments.count > 2, let value = Int(arguments[2]) {
  store.set(value, forKey: key)
  ToolEnd.exit(printing: value)
}
ToolEnd.exit(printing: store.integer(forKey: key))
