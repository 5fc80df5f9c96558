import Defaults

#if os(Linux)
  typealias UserDefaults = PreferencesStore
#endif
