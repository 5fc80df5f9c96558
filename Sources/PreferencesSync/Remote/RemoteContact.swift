public import FoundationEssentials

/// The latest response of a remote store: its sender and its time.
public struct RemoteContact: Sendable, Hashable {
  /// The address of the server that answered; nil if the store has none.
  public var endpoint: String?
  /// The time by the clock of the server when it answered; nil if that is unknown.
  public var date: Date?
  /// When the answer was received.
  public var instant: ContinuousClock.Instant

  /// Creates a contact.
  ///
  /// - Parameters:
  ///   - endpoint: The address of the server.
  ///   - date: The time by the server's clock. A resolution of seconds is enough.
  ///   - instant: When the answer was received.
  public init(endpoint: String?, date: Date?, instant: ContinuousClock.Instant = .now) {
    self.endpoint = endpoint
    self.date = date
    self.instant = instant
  }
}
