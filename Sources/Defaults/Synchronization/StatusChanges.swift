internal import Preferences
internal import PreferencesSync

/// Notifies observers and streams of changes of the status of `Defaults.iCloud`.
final class StatusChanges: Sendable {
  typealias Status = Defaults.iCloud.Status

  private let tracker = Tracker()
  private let streams: StatusStreams<Status>
  private let current: @Sendable () -> Status

  /// - Parameter current: Returns the status at this moment.
  init(_ current: @escaping @Sendable () -> Status) {
    self.current = current
    streams = StatusStreams(current)
  }

  /// The status at this moment, whose changes are observed.
  var status: Status {
    tracker.access()
    return current()
  }

  /// Delivers the status.
  func send() {
    tracker.notify()
    streams.send()
  }

  /// Returns a stream of the current status and all later ones. It buffers only the latest.
  func updates() -> AsyncStream<Status> { streams.updates() }
}
