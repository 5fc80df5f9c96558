internal import Preferences

extension [Defaults._AnyKey] {
  /// The names of the keys grouped by store, in the order in which the stores first occur.
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
}
