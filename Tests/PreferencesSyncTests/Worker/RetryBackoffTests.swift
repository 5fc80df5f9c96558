import TestSupport
import Testing

@testable import PreferencesSync

@Suite("Retries back off exponentially")
struct RetryBackoffTests {
  @Test("The delay doubles up to a limit, less a random part of up to a half")
  func growth() {
    var generator = SeededGenerator(seed: 7)
    var backoff = RetryBackoff(.seconds(1)...Duration.seconds(10))
    for _ in 0..<2 {
      for longest in [1, 2, 4, 8, 10, 10] {
        let time = backoff.advance(using: &generator)
        #expect(time >= .seconds(longest) / 2 && time <= .seconds(longest))
      }
      backoff.reset(afterSuccessLasting: .seconds(10))
    }
  }

  @Test("A success shorter than the next delay does not reset it")
  func shortSuccesses() {
    var generator = SeededGenerator(seed: 7)
    var backoff = RetryBackoff(.seconds(1)...Duration.seconds(300))
    for longest in [1, 2, 4, 8, 16] {
      backoff.reset(afterSuccessLasting: .milliseconds(longest * 1000 - 1))
      let time = backoff.advance(using: &generator)
      #expect(time >= .seconds(longest) / 2 && time <= .seconds(longest))
    }
    backoff.reset(afterSuccessLasting: .seconds(32))
    #expect(backoff.advance(using: &generator) <= .seconds(1))
  }

  @Test("Machines that fail at the same time do not retry at the same time")
  func jitter() {
    var generator = SeededGenerator(seed: 7)
    let times = (0..<20).map { _ in
      var backoff = RetryBackoff(.seconds(1)...Duration.seconds(10))
      return backoff.advance(using: &generator)
    }
    #expect(Set(times).count == 20)
  }
}
