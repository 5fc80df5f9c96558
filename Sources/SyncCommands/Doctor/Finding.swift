/// The result of a check.
struct Finding: Sendable, Equatable, Encodable {
  /// How something is.
  enum Outcome: String, Sendable, Encodable {
    case ok, warning, problem
  }

  /// The name of the check, such as `endpoint`.
  var check: String
  var outcome: Outcome
  /// The result of the check.
  var text: String
  /// The advice; nil if there is nothing to do.
  var advice: String?
}
