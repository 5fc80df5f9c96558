package import Foundation

/// A part of the package that takes arbitrary bytes, with its invariants.
package struct FuzzTarget: Sendable {
  /// The name that selects the target for a run.
  package let name: String

  /// Passes the bytes to the part, which must not trap, and throws a ``Finding`` if an invariant is
  /// violated.
  package let check: @Sendable (Data) throws -> Void

  /// All targets, in the order they run.
  package static let all =
    readers + [
      lazyDocument, decoder, envelopes, archives, arguments, keyPaths, edits, plistBuddy,
      syncRecord, manifests,
      roundTrip, plistlib,
      foundation,
    ]

  /// The target of a name.
  package static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

/// An invariant that an input violates.
package struct Finding: Error, CustomStringConvertible {
  package let description: String
}

/// Throws a finding unless the condition holds.
func expect(_ condition: Bool, _ finding: @autoclosure () -> String) throws {
  if !condition { throw Finding(description: finding()) }
}

/// Throws a finding unless the message is one line, without control characters.
func expectLine(_ message: some CustomStringConvertible) throws {
  let text = message.description
  let isLine = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
  try expect(!text.isEmpty && isLine, "the message is not one line: \(text.debugDescription)")
}
