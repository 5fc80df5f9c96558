internal import FoundationEssentials
internal import Threading

/// The clock of this machine, and what is known of the remote store's.
struct SyncClock: Sendable {
  private let remote: any RemoteStore
  private let own: @Sendable () -> Date
  /// How far the two clocks may be apart before that of the remote store counts.
  let tolerance: Duration

  /// - Parameter own: The clock of this machine.
  init(_ remote: any RemoteStore, own: @escaping @Sendable () -> Date, tolerance: Duration) {
    self.remote = remote
    self.own = own
    self.tolerance = tolerance
  }

  /// The latest answer of the remote store, which may be of a user's type.
  var contact: RemoteContact? {
    HeldLocks.assertNone("a remote store is asked for its contact with a lock held")
    return remote.latestContact
  }

  /// The time by the clock of this machine.
  var ownNow: Date { own() }

  /// The time by the clock of the remote store, which is assumed to have run since its latest answer;
  /// nil if that is unknown.
  var remoteNow: Date? { Self.now(of: contact) }

  /// The own time minus the remote store's; nil if that is unknown.
  var skew: Duration? { skew(of: contact) }

  /// The own time minus that of an answer; nil if that is unknown.
  func skew(of contact: RemoteContact?) -> Duration? {
    Self.now(of: contact).flatMap { Self.difference(own(), $0) }
  }

  private static func now(of contact: RemoteContact?) -> Date? {
    guard let contact, let date = contact.date else { return nil }
    return date + (ContinuousClock.now - contact.instant) / .seconds(1)
  }

  /// The time for changes: that of this machine, or of the remote store if they are too far apart.
  var now: Date {
    let own = own()
    guard let remoteNow, let skew = Self.difference(own, remoteNow) else { return own }
    return abs(skew / .seconds(1)) > tolerance / .seconds(1) ? remoteNow : own
  }

  /// The own time at an instant.
  func date(of instant: ContinuousClock.Instant) -> Date {
    own() - (ContinuousClock.now - instant) / .seconds(1)
  }

  private static func difference(_ left: Date, _ right: Date) -> Duration? {
    let seconds = left.timeIntervalSince(right)
    // Dates of any source may be too far apart for a duration.
    return seconds.magnitude < 1e15 ? .seconds(seconds) : nil
  }
}
