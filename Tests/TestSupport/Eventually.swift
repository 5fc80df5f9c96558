import Foundation
package import Testing

/// How long to wait for what is bound to happen: longer than it takes under a sanitizer on a busy
/// machine.
package let patience = Duration.seconds(120)

/// Blocks the thread until a condition holds, which must not depend on a task that needs the thread.
///
/// - Returns: Whether the condition holds. An issue tells how long was waited for one that does not.
package func eventually(
  within limit: Duration = patience, sourceLocation: SourceLocation = #_sourceLocation,
  _ condition: () throws -> Bool
) rethrows -> Bool {
  let deadline = ContinuousClock.now + limit
  while ContinuousClock.now < deadline {
    if try condition() { return true }
    usleep(1000)
  }
  return report(try condition(), after: limit, sourceLocation)
}

/// Suspends the task until a condition holds.
///
/// - Returns: Whether the condition holds. An issue tells how long was waited for one that does not.
package func eventually(
  within limit: Duration = patience, sourceLocation: SourceLocation = #_sourceLocation,
  _ condition: () throws -> Bool
) async rethrows -> Bool {
  let deadline = ContinuousClock.now + limit
  while ContinuousClock.now < deadline {
    if try condition() { return true }
    try? await Task.sleep(for: .milliseconds(1))
  }
  return report(try condition(), after: limit, sourceLocation)
}

/// Records an issue if a condition does not hold in the end. What it is, the expectation tells.
private func report(
  _ holds: Bool, after limit: Duration, _ sourceLocation: SourceLocation
) -> Bool {
  if !holds {
    Issue.record(
      "Waited \(limit) for a condition that does not hold", sourceLocation: sourceLocation)
  }
  return holds
}
