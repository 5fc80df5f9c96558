internal import FoundationEssentials
internal import Preferences

/// A status that includes the connection and the last failure.
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

/// An error of a worker with a state file.
protocol WorkerError: Error {
  /// The state file cannot be read or saved.
  static func stateFile(_ error: PreferencesError) -> Self
  /// Another worker uses the state file.
  static func stateFileLocked(path: String) -> Self

  /// Whether the remote store has failed.
  var isOfRemote: Bool { get }
  /// Whether another worker uses the state file.
  var isOfLock: Bool { get }
}

extension SynchronizationError: WorkerError {
  var isOfRemote: Bool { if case .remote = self { true } else { false } }
  var isOfLock: Bool { if case .stateFileLocked = self { true } else { false } }
}

extension ManagedPreferencesError: WorkerError {
  var isOfRemote: Bool { if case .remote = self { true } else { false } }
  var isOfLock: Bool { if case .stateFileLocked = self { true } else { false } }
}
