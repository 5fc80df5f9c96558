internal import Preferences
internal import PropertyList

extension Defaults._AnyKey {
  /// A key in the store that it has where an observation of it begins.
  struct Observed: Sendable {
    var name: String
    var suite: PreferencesStore
    /// Returns whether a change of the stored form leaves the value equal.
    var keepsValue: @Sendable (PreferencesChange) -> Bool
  }

  /// The key in the store that it has here.
  var observed: Observed { Observed(name: name, suite: suite, keepsValue: keepsValue) }
}

extension [Defaults._AnyKey.Observed] {
  /// The names of the keys grouped by store, in the order the stores first occur.
  var namesByStore: [(store: PreferencesStore, names: [String])] {
    var result: [(store: PreferencesStore, names: [String])] = []
    for key in self {
      if let index = result.firstIndex(where: { $0.store === key.suite }) {
        result[index].names.append(key.name)
      } else {
        result.append((key.suite, [key.name]))
      }
    }
    return result
  }

  /// Returns whether a change of a store leaves the values of all keys equal.
  func keepValues(_ change: PreferencesChange, of store: PreferencesStore) -> Bool {
    allSatisfy { key in
      key.suite !== store || !key.name.hasSameBytes(as: change.key) || key.keepsValue(change)
    }
  }
}
