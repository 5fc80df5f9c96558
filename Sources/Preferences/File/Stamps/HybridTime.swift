public import FoundationEssentials

/// The hybrid logical time of a change: a date, a counter for changes that follow one another at the
/// same date, and the origin of the change.
///
/// Times compare by date, then by counter, then by origin. A change has a later time than the
/// change it replaces, whatever the clock says: see ``next(after:at:by:)``.
public struct HybridTime: Sendable, Hashable {
  /// The date by the clock of the machine, or a later date that the machine knew.
  public let date: Date
  /// The number of earlier changes at the same date.
  public let counter: UInt32
  /// The identifier of the machine and its state file; empty if there is none. It decides between
  /// changes of the same date and counter.
  public let origin: String

  /// Creates a time.
  public init(date: Date, counter: UInt32 = 0, origin: String = "") {
    self.date = date
    self.counter = counter
    self.origin = origin
  }

  /// Returns the time of a change.
  ///
  /// - Parameters:
  ///   - known: The time of the replaced record; nil if there is none.
  ///   - now: The time by the clock.
  ///   - origin: The identifier of the machine and its state file.
  /// - Returns: The time by the clock, or the known time advanced by one count, whichever is later.
  public static func next(
    after known: HybridTime?, at now: Date, by origin: String
  ) -> HybridTime {
    // NaN is never later.
    guard let known, !(now > known.date) else { return HybridTime(date: now, origin: origin) }
    let (counter, isFull) = known.counter.addingReportingOverflow(1)
    if !isFull { return HybridTime(date: known.date, counter: counter, origin: origin) }
    let seconds = known.date.timeIntervalSinceReferenceDate.nextUp
    return HybridTime(date: Date(timeIntervalSinceReferenceDate: seconds), origin: origin)
  }

  /// Whether the date is a number, and before the last second of the year 9999. A record with the
  /// latest date that programs can write is out of range, since no change could replace it.
  package var isInRange: Bool { abs(date.timeIntervalSinceReferenceDate) < 252_423_993_599 }

  /// Whether the origin has at most 64 characters, all of them printable ASCII.
  package var hasValidOrigin: Bool {
    origin.utf8.count <= 64 && origin.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
  }
}

extension HybridTime: Comparable {
  /// Returns whether a time is earlier than another.
  public static func < (left: HybridTime, right: HybridTime) -> Bool {
    if left.date != right.date { return left.date < right.date }
    if left.counter != right.counter { return left.counter < right.counter }
    return left.origin.utf8.lexicographicallyPrecedes(right.origin.utf8)
  }
}
