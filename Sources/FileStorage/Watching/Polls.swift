/// What the polls of a file find.
struct Polls {
  /// What the last poll found.
  private(set) var identity: FileIdentity?
  /// Until a poll at or after this time, the file may have changed without another identity: a
  /// replaced file may even have the identity of one before. Nil if it cannot.
  ///
  /// The time is limited because another machine's clock may date the file.
  private var end: ContinuousClock.Instant?

  init(_ identity: FileIdentity?, at now: ContinuousClock.Instant) {
    self.identity = identity
    end = identity?.isRacy == true ? now + FileIdentity.settlingTime : nil
  }

  /// Whether a change gives the file another identity.
  var isSettled: Bool { end == nil }

  /// Records a poll, and returns whether the file may have changed since the one before.
  mutating func record(_ new: FileIdentity?, at now: ContinuousClock.Instant) -> Bool {
    guard new == identity else {
      self = Polls(new, at: now)
      return true
    }
    guard let end else { return false }
    if now >= end { self.end = nil }
    return true
  }

  /// Takes note of an identity that was found in another way than by a poll.
  mutating func note(_ known: FileIdentity?, at now: ContinuousClock.Instant) {
    if known != identity { self = Polls(known, at: now) }
  }
}
