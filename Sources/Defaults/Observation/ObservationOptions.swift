extension Defaults {
  /// The calls that an observer receives in addition to one for each change.
  public struct ObservationOptions: OptionSet, Sendable {
    /// The options as bits.
    public let rawValue: Int

    /// Creates options from bits.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// A call with the present value, before the method that starts the observation returns.
    public static let initial = Self(rawValue: 1 << 0)
    /// Two calls for each change, the first of them with ``KeyChange/isPrior``.
    ///
    /// Both calls follow the change, one right after the other: the first one, too, reads the new
    /// value.
    public static let prior = Self(rawValue: 1 << 1)
    /// Values before changes, which observers receive in any case.
    public static let old = Self(rawValue: 1 << 2)
    /// Values after changes, which observers receive in any case.
    public static let new = Self(rawValue: 1 << 3)
  }
}
