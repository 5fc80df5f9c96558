internal import Preferences

/// An error of something that keeps a state file.
protocol WorkerError: Error {
  /// The state file cannot be read or saved.
  static func stateFile(_ error: PreferencesError) -> Self
  /// Another worker uses the state file.
  static func stateFileLocked(path: String) -> Self
}

extension SynchronizationError: WorkerError {}
extension ManagedPreferencesError: WorkerError {}
