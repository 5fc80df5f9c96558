internal import FoundationEssentials

/// Decides which clock dates changes: this machine's or the servers'.
///
/// A server's clock may be as wrong as this machine's. It is used only if other clocks agree, and
/// no clock alone moves the time by more than the tolerance.
struct ClockCorrection: Equatable {
  /// The seconds to add to the time of this machine.
  let seconds: TimeInterval
  /// Whether the corrected time is known to be right. Otherwise it may be wrong by any amount.
  let isCertain: Bool

  /// - Parameters:
  ///   - isSynchronized: Whether the system keeps the clock of this machine right.
  ///   - servers: The servers' times minus this machine's, in seconds.
  ///   - tolerance: How far apart clocks that agree may be, in seconds.
  init(isSynchronized: Bool, servers: [TimeInterval], tolerance: TimeInterval) {
    let nearest = servers.min { $0.magnitude < $1.magnitude } ?? 0
    let median = servers.sorted().dropFirst(servers.count / 2).first ?? 0
    let agreeing = servers.count { abs($0 - median) <= tolerance }
    if isSynchronized {
      (seconds, isCertain) = (0, true)
    } else if agreeing > 1, agreeing * 2 > servers.count {
      (seconds, isCertain) = (abs(median) > tolerance ? median : 0, true)
    } else if abs(nearest) > tolerance {
      (seconds, isCertain) = (nearest < 0 ? -tolerance : tolerance, false)
    } else {
      (seconds, isCertain) = (0, !servers.isEmpty)
    }
  }
}
