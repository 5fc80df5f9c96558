internal import FoundationEssentials

/// The clock of this machine, and what is known of the remote store's.
struct SyncClock: Sendable {
  private let remote: any RemoteStore
  private let ownNow: @Sendable () -> Date

  /// - Parameter ownNow: The clock of this machine.
  init(_ remote: any RemoteStore, _ ownNow: @escaping @Sendable () -> Date) {
    self.remote = remote
    self.ownNow = ownNow
  }

  /// The latest answer of the remote store.
  var contact: RemoteContact? { remote.latestContact }

  /// The own time minus the remote store's, whose clock is assumed to have run since the latest
  /// answer; nil if that is unknown.
  var skew: Duration? {
    guard let contact, let date = contact.date else { return nil }
    let remoteNow = date + (ContinuousClock.now - contact.instant) / .seconds(1)
    let seconds = ownNow().timeIntervalSince(remoteNow)
    // Dates of any source may be too far apart for a duration.
    return seconds.magnitude < 1e15 ? .seconds(seconds) : nil
  }

  /// The own time at an instant.
  func date(of instant: ContinuousClock.Instant) -> Date {
    ownNow() - (ContinuousClock.now - instant) / .seconds(1)
  }

  /// The own time.
  var now: Date { ownNow() }
}
