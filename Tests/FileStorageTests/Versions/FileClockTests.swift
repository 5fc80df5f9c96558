import Testing

@testable import FileStorage

@Suite("The clock that dates files")
struct FileClockTests {
  private static let second: Int64 = 1_000_000_000

  @Test("repeats no time while it runs, is adjusted, or is set forward")
  func forward() {
    var clock = FileClock()
    for step in 0..<1000 as Range<Int64> {
      clock.note(step * 4_000_000 - step * 2000, monotonic: step * 4_000_000)
    }
    clock.note(100 * Self.second, monotonic: 5 * Self.second)
    #expect(clock.repeatsUntil == .min)
  }

  @Test("repeats the times up to that at which it was set back")
  func back() {
    var clock = FileClock()
    clock.note(100 * Self.second, monotonic: 5 * Self.second)
    clock.note(100 * Self.second, monotonic: 7 * Self.second)
    // Without having been set back by two seconds, it would show 102.
    #expect(clock.repeatsUntil == 102 * Self.second)
    clock.note(50 * Self.second, monotonic: 8 * Self.second)
    #expect(clock.repeatsUntil == 102 * Self.second)
    clock.note(200 * Self.second, monotonic: 9 * Self.second)
    clock.note(199 * Self.second, monotonic: 9 * Self.second)
    #expect(clock.repeatsUntil == 200 * Self.second)
  }

  @Test("is that of the kernel")
  func now() {
    let before = FileClock.now()
    #expect(before > 1_700_000_000 * Self.second)
    #expect(FileClock.now() >= before)
  }
}
