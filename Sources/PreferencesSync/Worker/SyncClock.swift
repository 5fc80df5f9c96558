internal import CLinuxFile
internal import FoundationEssentials
internal import Threading

/// The clock of this machine, and its difference from the remote store's clock if known.
struct SyncClock: Sendable {
  private let remote: any RemoteStore
  private let own: @Sendable () -> Date
  private let isSynchronized: @Sendable () -> Bool
  /// How far apart the two clocks may be before the remote store's is used.
  let tolerance: Duration
  /// The latest answers of all servers; empty unless they were asked.
  private let answers = Lock<[RemoteContact]>([])
  /// How long the answers of all servers are used.
  private static let answerLifetime = Duration.seconds(3600)

  /// - Parameters:
  ///   - own: The clock of this machine.
  ///   - isSynchronized: Returns whether the system keeps that clock right.
  init(
    _ remote: any RemoteStore, own: @escaping @Sendable () -> Date,
    isSynchronized: @escaping @Sendable () -> Bool = { false }, tolerance: Duration
  ) {
    self.remote = remote
    self.own = own
    self.isSynchronized = isSynchronized
    self.tolerance = tolerance
  }

  /// Whether the kernel says that the clock of this machine is synchronized, for example by
  /// `chronyd`.
  static func isSystemClockSynchronized() -> Bool { larder_is_clock_synchronized() != 0 }

  /// The latest answer of the remote store, which may have a user's type.
  var contact: RemoteContact? {
    HeldLocks.assertNone("a remote store is asked for its contact with a lock held")
    return remote.latestContact
  }

  /// The time by the clock of this machine.
  var ownNow: Date { own() }

  /// This machine's time minus the remote store's; nil if that is unknown.
  var skew: Duration? { skew(of: contact) }

  /// This machine's time minus a server's, whose clock is assumed to have continued since its
  /// response; nil if that is unknown.
  func skew(of contact: RemoteContact?) -> Duration? {
    guard let contact, let date = contact.date else { return nil }
    let age = (ContinuousClock.now - contact.instant) / .seconds(1)
    let seconds = own().timeIntervalSince(date) - age
    // Dates from any source may be too far apart for a duration.
    return seconds.magnitude < 1e15 ? .seconds(seconds) : nil
  }

  /// The time for changes: this machine's, corrected if the servers agree on a different time.
  var now: Date { own() + correction.seconds }

  /// The time for changes, if it is known to be right.
  var certainNow: Date? {
    let correction = correction
    return correction.isCertain ? own() + correction.seconds : nil
  }

  private var correction: ClockCorrection {
    let latest = skew
    // The other servers were asked because one server's clock differs.
    let isFar = latest.map { abs($0 / .seconds(1)) > tolerance / .seconds(1) } ?? false
    let others = isFar ? answers.withLock { $0 }.compactMap { skew(of: $0) } : []
    let skews = others.isEmpty ? [latest].compactMap(\.self) : others
    return ClockCorrection(
      isSynchronized: isSynchronized(), servers: skews.map { $0 / .seconds(-1) },
      tolerance: tolerance / .seconds(1))
  }

  /// Asks all servers for their time, unless the system keeps the clock of this machine right or
  /// they have already been asked.
  func askServers() async {
    if isSynchronized() { return }
    let oldest = ContinuousClock.now - Self.answerLifetime
    let isKnown = answers.withLock { !$0.isEmpty && $0.allSatisfy { $0.instant > oldest } }
    if isKnown { return }
    let new = await remote.contacts()
    answers.withLock { $0 = new }
  }

  /// This machine's time at an instant.
  func date(of instant: ContinuousClock.Instant) -> Date {
    own() - (ContinuousClock.now - instant) / .seconds(1)
  }
}
