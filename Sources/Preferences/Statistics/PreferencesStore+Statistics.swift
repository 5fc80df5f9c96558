extension PreferencesStore {
  /// Metrics of the library's work in this process; see ``PreferencesEngine/statistics``.
  public static var statistics: PreferencesStatistics { currentEngine.statistics }
}
