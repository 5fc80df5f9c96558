internal import FoundationEssentials

/// A status that says with whom there is a connection.
protocol ConnectionStatus: Sendable, Equatable {
  var isConnected: Bool { get set }
  var endpoint: String? { get set }
  var lastContact: Date? { get set }
  var clockSkew: Duration? { get set }

  /// Creates the status before there was a connection.
  init()
}

extension PreferencesSynchronizer.Status: ConnectionStatus {}
extension ManagedPreferencesReplica.Status: ConnectionStatus {}
