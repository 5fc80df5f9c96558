import Foundation
import Preferences
import PropertyList

extension Main {
  /// `migrate <version>` opens a store with steps up to a version, and prints `ready`; it fails if
  /// the domain does not have the version then.
  ///
  /// Each step adds one to the key `steps`. Step 1 renames `old` to `new`, step 2 moves `moved` to
  /// the domain `other`, and step 3 fails if `refused` has a value.
  func migrate() throws {
    let store = migratedStore()
    if let problem = store.problems.first { throw problem }
    say("ready")
  }

  /// `migrate-together <version>` prints `waiting`, and does the same after a line.
  func migrateTogether() throws {
    say("waiting")
    waitForLine()
    try migrate()
  }

  /// `set-migrated <version> <key> <value>` opens the store, prints `ready`, and after a line sets
  /// and saves a key.
  func setMigrated() throws {
    // Saved only when asked, so that the change is there when the other program migrates.
    PreferencesStore.runtimeConfiguration.commitDelay = .seconds(3600)
    let store = migratedStore()
    store.set(arguments[2], forKey: arguments[1])
    say("ready")
    waitForLine()
    try store.flush()
  }

  private func migratedStore() -> PreferencesStore {
    let count = PreferencesMigration.Edit.change { values in
      guard case .integer(let steps) = values["steps"] ?? 0 else { return }
      values["steps"] = .integer(steps + 1)
    }
    let steps = [
      PreferencesMigration(to: 1, count, .rename("old", to: "new")),
      PreferencesMigration(to: 2, count, .move(["moved"], toDomain: "other")),
      PreferencesMigration(
        to: 3, count,
        .convert("refused") { _ in throw Refusal() }),
    ]
    var options = PreferencesStore.Options()
    options.arguments = []
    options.usesPrivateRegistrationDomain = true
    options.migrations = steps.filter { $0.version <= number(0) }
    return PreferencesStore(fileAt: path, options: options)
  }
}

private struct Refusal: Error, CustomStringConvertible {
  let description = "there is a value that is refused"
}
