extension Defaults {
  /// A call that an observer receives in addition to one for each change.
  public enum ObservationOption: Sendable {
    /// A call with the present value, before the method that starts the observation returns.
    case initial
    /// Two calls for each change, the first of them with ``KeyChange/isPrior``.
    ///
    /// Both calls follow the change, one right after the other: the first one also reads the new
    /// value.
    case prior
  }

  /// The calls that an observer receives in addition to one for each change.
  public typealias ObservationOptions = Set<ObservationOption>
}
