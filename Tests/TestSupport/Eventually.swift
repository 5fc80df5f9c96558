import Foundation
package import Testing

/// The default limit of ``eventually(within:sourceLocation:_:)``: longer than anything takes under
/// a sanitizer on a busy machine.
package let patience = Duration.seconds(120)

/// Blocks the thread until a condition holds. The condition must not depend on a task, which might
/// need the thread; asynchronous tests suspend instead.
///
/// Records an issue with the time waited if the condition does not hold in time. Within `#expect`,
/// which prints the condition, the failure says both what was waited for and how long.
///
/// - Returns: Whether the condition holds.
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

/// Suspends the task until a condition holds, otherwise like the synchronous function.
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

/// Records an issue if a condition does not hold after a time.
private func report(
  _ holds: Bool, after limit: Duration, _ sourceLocation: SourceLocation
) -> Bool {
  if !holds {
    Issue.record("The condition did not hold within \(limit)", sourceLocation: sourceLocation)
  }
  return holds
}
