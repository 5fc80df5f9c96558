import Preferences
import PropertyList

/// A command-line tool that remembers its options: values come from the command line, from earlier
/// runs, or from the defaults, in this order.
///
///     swift run RememberedOptions --width=80              # for this run
///     swift run RememberedOptions remember --width=80     # and for later ones
///     swift run RememberedOptions
///     swift run RememberedOptions forget
///
/// It shows registered defaults, the argument domain with long options, the layers of a key, and an
/// error for a value of the wrong type.
@main
enum RememberedOptions {
  private static let defaults: PlistDictionary = ["title": "Untitled", "width": 40, "frame": true]

  static func main() throws {
    var options = PreferencesStore.Options()
    options.argumentOptions.acceptsLongOptions = true
    let store = try PreferencesStore(domain: "org.example.remembered-options", options: options)
    store.register(defaults: defaults)

    switch CommandLine.arguments.dropFirst().first {
    case "remember": try remember(in: store)
    case "forget": try store.update { $0 = PlistDictionary() }
    default: break
    }
    try draw(store)
    for key in defaults.keys { printOrigin(of: key, in: store) }
  }

  /// Saves the options given on the command line.
  private static func remember(in store: PreferencesStore) throws {
    try store.update { values in
      for key in defaults.keys where store.origins(forKey: key).first?.layer.kind == .argument {
        values[key] = try storable(key, in: store)
      }
    }
  }

  /// The value of an option, converted to the type of its default: command-line values are text.
  private static func storable(_ key: String, in store: PreferencesStore) throws -> PlistValue {
    switch defaults[key] {
    case .boolean: .boolean(try store.value(Bool.self, forKey: key))
    case .integer: .integer(try store.value(Int64.self, forKey: key))
    default: .string(try store.value(String.self, forKey: key))
    }
  }

  private static func draw(_ store: PreferencesStore) throws {
    let title = try store.value(String.self, forKey: "title")
    let line = String(repeating: "-", count: max(0, try store.value(Int.self, forKey: "width")))
    print(try store.value(Bool.self, forKey: "frame") ? "\(line)\n\(title)\n\(line)" : title)
  }

  /// Prints the layer that supplies a value, and the layers that it hides.
  private static func printOrigin(of key: String, in store: PreferencesStore) {
    let kinds = store.origins(forKey: key).map { "\($0.layer.kind)" }
    print("\(key): \(kinds.joined(separator: ", before "))")
  }
}
