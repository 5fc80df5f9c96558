import TestSupport
import Testing

@testable import PreferencesSync

@Suite("What has failed is tried again less and less often")
struct RetryDelayTests {
  @Test("A delay doubles up to a limit, and a random half of it is left out")
  func growth() {
    var generator = SeededGenerator(seed: 7)
    var delay = RetryDelay(.seconds(1)...Duration.seconds(10))
    for _ in 0..<2 {
      for longest in [1, 2, 4, 8, 10, 10] {
        let time = delay.afterFailure(using: &generator)
        #expect(time >= .seconds(longest) / 2 && time <= .seconds(longest))
      }
      delay.afterSuccess(lasting: .seconds(10))
    }
  }

  @Test("It goes on doubling where each success ends sooner than the next attempt would come")
  func shortSuccesses() {
    var generator = SeededGenerator(seed: 7)
    var delay = RetryDelay(.seconds(1)...Duration.seconds(300))
    for longest in [1, 2, 4, 8, 16] {
      delay.afterSuccess(lasting: .milliseconds(longest * 1000 - 1))
      let time = delay.afterFailure(using: &generator)
      #expect(time >= .seconds(longest) / 2 && time <= .seconds(longest))
    }
    delay.afterSuccess(lasting: .seconds(32))
    #expect(delay.afterFailure(using: &generator) <= .seconds(1))
  }

  @Test("Machines that failed at the same moment do not come back at the same moment")
  func jitter() {
    var generator = SeededGenerator(seed: 7)
    let times = (0..<20).map { _ in
      var delay = RetryDelay(.seconds(1)...Duration.seconds(10))
      return delay.afterFailure(using: &generator)
    }
    #expect(Set(times).count == 20)
  }
}
