/// What a remote store did that it must not do.
package struct ContractViolation: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}

/// Throws if something does not hold.
func require(_ condition: Bool, _ violation: @autoclosure () -> String) throws {
  if !condition { throw ContractViolation(violation()) }
}

/// Throws if two values differ.
func require<Value: Equatable>(_ value: Value, is expected: Value, _ what: String) throws {
  try require(value == expected, "\(what): \(value), expected \(expected)")
}
