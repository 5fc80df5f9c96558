/// A rule of synchronization that a history breaks.
package struct HistoryViolation: Error, Sendable, Hashable {
  /// A rule.
  package enum Rule: String, Sendable, Hashable, CaseIterable {
    case converges = "all machines and the remote store agree in the end"
    case invents = "every value was written to its key"
    case goesBack = "a machine does not return to a value that it knows to be replaced"
    case keepsSaved = "a saved value is replaced by later ones only"
    case keepsUploaded = "an uploaded value is replaced by later ones only"
    case keepsRemoved = "a removed key returns with later values only"
  }

  package var rule: Rule
  package var key: String
  /// What has happened instead.
  package var reason: String
  /// The position of the event that shows it.
  var position: Int

  init(_ rule: Rule, key: String, at position: Int, _ reason: String) {
    self.rule = rule
    self.key = key
    self.position = position
    self.reason = reason
  }
}

extension HistoryViolation: CustomStringConvertible {
  /// One line of text.
  package var description: String { "\(key): \(reason); expected that \(rule.rawValue)" }
}
