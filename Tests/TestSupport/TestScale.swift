import Foundation

/// How much the long tests do, set by the environment.
package enum TestScale {
  /// The factor of the number of rounds, from `LARDER_SOAK`; more than one in a soak test.
  package static let rounds =
    ProcessInfo.processInfo.environment["LARDER_SOAK"].flatMap { Int($0) } ?? 1
  /// Whether every fault is injected and every command run, rather than a part of them:
  /// whether `LARDER_EXHAUSTIVE_FAULTS` is set.
  package static let isExhaustive =
    ProcessInfo.processInfo.environment["LARDER_EXHAUSTIVE_FAULTS"] != nil
  /// Whether the cost may grow with the square of the work: in all runs except `make test`.
  package static let isLong = rounds > 1 || isExhaustive

  /// How often to test with real processes what simulations do in every order: in `make test` a
  /// fifth as often as in the long tests.
  package static func count(_ count: Int) -> Int { isLong ? count * rounds : max(1, count / 5) }

  /// All elements in the long tests; in `make test` one out of every given number of elements.
  package static func share<Elements: Collection>(
    of elements: Elements, one number: Int
  ) -> [Elements.Element] {
    elements.enumerated().filter { isLong || $0.offset.isMultiple(of: number) }.map(\.element)
  }
}
