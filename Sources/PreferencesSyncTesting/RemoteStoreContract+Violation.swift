extension RemoteStoreContract {
  /// A violation of the contract by the store under test.
  public struct Violation: Error, Sendable, CustomStringConvertible {
    /// The violated clause.
    public let clause: Clause
    /// One line of text: the clause, what the store did, and what was expected.
    public let description: String

    init(_ clause: Clause, _ reason: String) {
      self.clause = clause
      description = "violation of \"\(clause)\": \(reason)"
    }
  }
}
