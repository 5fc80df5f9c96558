extension TypedPreferenceError {
  /// Calls the closure with every failure from now on, on the thread that reads or stores, for as long as
  /// the process runs.
  ///
  /// A value that is stored is reported once, not by each read of it.
  public static func onFailure(_ handler: @escaping @Sendable (TypedPreferenceError) -> Void) {
    FailureHandlers.add(handler)
  }
}
