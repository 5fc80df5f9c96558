internal import FoundationEssentials
internal import Preferences

/// A status that says with whom there is a connection, and what failed last.
protocol ConnectionStatus: Sendable, Equatable {
  associatedtype Failure: WorkerError

  var isConnected: Bool { get set }
  var endpoint: String? { get set }
  var lastError: Failure? { get set }
  var lastErrorDate: Date? { get set }
  var lastContact: Date? { get set }
  var clockSkew: Duration? { get set }

  /// Creates the status before there was a connection.
  init()
}

extension PreferencesSynchronizer.Status: ConnectionStatus {}
extension ManagedPreferencesReplica.Status: ConnectionStatus {}

/// An error of something that keeps a state file.
protocol WorkerError: Error {
  /// The state file cannot be read or saved.
  static func stateFile(_ error: PreferencesError) -> Self
  /// Another worker uses the state file.
  static func stateFileLocked(path: String) -> Self
}

extension SynchronizationError: WorkerError {}
extension ManagedPreferencesError: WorkerError {}
