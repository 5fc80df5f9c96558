import Defaults
import PropertyList

/// Moves what an older version of a program has stored to a newer Codable type.
///
///     swift run CodableMigration
///
/// The older version stored a person as a name, under the key `person`, and units as a word; the
/// newer one has more properties, and another key. When it is run for the first time, the program
/// does what the older version did. It shows migrations, which run once and atomically, new
/// properties that take the values of the default, and the contents of the file before and after.
@main
enum CodableMigration {
  /// The value as the older version stored it.
  struct OldPerson: Codable, Defaults.Serializable {
    var name: String
  }

  /// The value as the newer version stores it.
  struct Person: Codable, Hashable, Sendable, Defaults.Serializable {
    var given: String
    var family: String

    /// The last word of a name is taken as the family name.
    init(_ old: OldPerson) {
      let words = old.name.split(separator: " ").map(String.init)
      given = words.dropLast().joined(separator: " ")
      family = words.last ?? ""
    }
  }

  /// A type that has gained a property. Stored values do not have it.
  struct Window: Codable, Hashable, Sendable, Defaults.Serializable {
    var width = 80
    var isZoomed = false
  }

  static func main() throws {
    try PreferencesStore.setApplication(identifier: "org.example.codable-migration")
    let store = PreferencesStore.standard
    if !store.containsValue(forKey: "author") {
      store.set(#"{"name":"Ada King Lovelace"}"#, forKey: "person")
      store.set(["width": 132], forKey: "window")
      try store.flush()
    }
    report("before", store)

    let person = Defaults.Key<Person>(
      "author", default: Person(OldPerson(name: "")),
      migrate: .renamed(from: "person", OldPerson.self) { Person($0) })
    print("author: \(Defaults[person].given) / \(Defaults[person].family)")

    let window = Defaults.Key<Window>("window", default: Window())
    Defaults.onFailure { print("reported: \($0)") }
    print("window: \(Defaults[window].width), zoomed: \(Defaults[window].isZoomed)")
    Defaults[window].isZoomed = true
    try store.flush()
    report("after", store)
  }

  private static func report(_ when: String, _ store: PreferencesStore) {
    print(
      "\(when): \(store.plistRepresentation.keys.filter { store.containsValue(forKey: $0) }.sorted())"
    )
  }
}
