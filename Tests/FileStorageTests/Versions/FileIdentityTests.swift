import Glibc
import Testing

@testable import FileStorage

@Suite("The identity of a file")
struct FileIdentityTests {
  private static let second: Int64 = 1_000_000_000

  /// The identity of a file that was last changed at a time, seen at another.
  private func identity(changed: Int64, clock: Int64) -> FileIdentity {
    var information = stat()
    information.st_ctim = timespec(
      tv_sec: Int(changed / Self.second), tv_nsec: Int(changed % Self.second))
    return FileIdentity(information, clock: clock)
  }

  @Test(
    "is racy while a further change may have the same timestamp",
    arguments: [
      // A clock that ticks every few milliseconds.
      (123_456_789, 123_456_788, true), (123_456_789, 123_456_789, true),
      (123_456_789, 123_456_790, false),
      // Hundredths of a second.
      (120_000_000, 125_000_000, true), (120_000_000, 130_000_001, false),
      // Whole seconds, perhaps from another machine's clock.
      (0, 900_000_000, true), (0, 2 * second, true), (0, 3600 * second, true),
      // The clock was set back.
      (5 * second + 1, second, true),
    ] as [(Int64, Int64, Bool)])
  func racy(changed: Int64, clock: Int64, isRacy: Bool) {
    let start = 1_700_000_000 * Self.second
    #expect(identity(changed: start + changed, clock: start + clock).isRacy == isRacy)
  }
}
