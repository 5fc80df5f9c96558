import Foundation
import ToolSupport

// What `PreferencesTool` does, with Foundation: `UserDefaultsTool <key>` reads an integer, and
// `UserDefaultsTool <key> <integer>` sets it.
let arguments = CommandLine.arguments
let defaults = UserDefaults.standard
if arguments.count > 2, let value = Int(arguments[2]) {
  defaults.set(value, forKey: arguments[1])
  // Otherwise nothing is saved at all.
  defaults.synchronize()
  ToolEnd.exit(printing: value)
}
ToolEnd.exit(printing: defaults.integer(forKey: arguments[1]))
