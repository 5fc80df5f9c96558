import Foil

#if os(Linux)
  typealias UserDefaults = PreferencesStore
#endif
