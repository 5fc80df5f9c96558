internal import FoundationEssentials

/// A machine's entry in the registry, which says up to which revision it has seen all changes, and
/// which records it has uploaded.
struct MachineMark: Sendable, Equatable, Codable {
  var revision: Int64
  /// When the machine wrote the mark.
  var date: Date
  /// A random number, saved in the state file before the mark is written; nil if an earlier version
  /// wrote the mark.
  var incarnation: Int64?
  /// The fingerprints of the records that were stored in the same transaction, or since the state file
  /// was saved, separated by spaces, because earlier versions can read only a few values. Nil in the
  /// state file once there is an answer.
  var uploads: String?

  /// Whether the machine must write a new mark: after changes, and otherwise four times within the
  /// lifetime of a machine.
  ///
  /// - Parameters:
  ///   - newest: The revision of the newest entry of values.
  ///   - seen: The revision up to which the machine has seen all changes.
  func isOutdated(newest: Int64, seen: Int64, at now: Date, lifetime: Duration) -> Bool {
    // A cluster that was set up again counts from the beginning.
    if newest > revision || seen < revision { return true }
    let age = now.timeIntervalSince(date)
    return age < 0 || age > lifetime / .seconds(1) / 4
  }
}
