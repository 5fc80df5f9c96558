internal import CommandLineInterface
internal import Glibc
internal import Preferences
internal import PropertyList

/// `watch`
extension DefaultsTool {
  /// Prints changes as they happen, and never returns.
  func watch(_ key: String?, of domain: DomainArgument) throws(CommandFailure) -> Never {
    PreferencesStore.runtimeConfiguration.watchesFiles = true
    let store = try uncheckedStore(of: domain)
    let observation =
      if let key {
        store.observe(key) { Self.print($0) }
      } else {
        store.observeAll { Self.print($0) }
      }
    // A file that cannot be read now may be repaired while it is watched.
    for problem in store.problems { session.warn(problem) }
    session.note("watching \(store.domain)")
    while true { withExtendedLifetime(observation) { _ = pause() } }
  }

  /// Prints a change immediately, with a dash for a missing value.
  private static func print(_ change: PreferencesChange) {
    let key = PlistValue.string(change.key).textOnOneLine
    let (old, new) = (change.oldValue?.textOnOneLine, change.newValue?.textOnOneLine)
    ChangeOutput.print("\(key): \(old ?? "-") -> \(new ?? "-")\n", of: table.name)
  }
}
