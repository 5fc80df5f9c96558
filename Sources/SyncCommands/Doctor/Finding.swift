/// The result of a check.
struct Finding: Sendable, Equatable, Encodable {
  /// How something is.
  enum Outcome: String, Sendable, Encodable {
    case ok, warning, problem
  }

  /// What was checked, such as `endpoint`.
  var check: String
  var outcome: Outcome
  /// What was found.
  var text: String
  /// What to do; nil if there is nothing to do.
  var advice: String?
}
