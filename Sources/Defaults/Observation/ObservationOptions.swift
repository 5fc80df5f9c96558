extension Defaults {
  /// What an observer hears of beside changes that have been made.
  public struct ObservationOptions: OptionSet, Sendable {
    /// The options as bits.
    public let rawValue: Int

    /// Options of bits.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// The present value, before the call that begins the observation returns.
    public static let initial = Self(rawValue: 1 << 0)
    /// Each change twice, first as one that is prior.
    ///
    /// Both calls come one after the other when the change has been made, since all changes are told
    /// then: what is read during the first one is the new value already.
    public static let prior = Self(rawValue: 1 << 1)
    /// Values before changes, which observers get in any case.
    public static let old = Self(rawValue: 1 << 2)
    /// Values after changes, which observers get in any case.
    public static let new = Self(rawValue: 1 << 3)
  }
}
