import Testing
import Threading

@Suite("An auto-reset event")
struct AutoResetEventTests {
  @Test("that was signaled ends the next wait immediately, and only that")
  func reset() {
    let event = AutoResetEvent()
    event.signal()
    event.signal()
    let start = ContinuousClock.now
    event.wait(for: .seconds(60))
    #expect(ContinuousClock.now - start < .seconds(30))
    let second = ContinuousClock.now
    event.wait(for: .milliseconds(20))
    #expect(ContinuousClock.now - second >= .milliseconds(20))
  }

  @Test("wakes a waiting thread")
  func wake() {
    let (request, reply) = (AutoResetEvent(), AutoResetEvent())
    let isStarted = BackgroundThread.start("test-event") {
      request.wait(for: .seconds(60))
      reply.signal()
    }
    #expect(isStarted)
    let start = ContinuousClock.now
    request.signal()
    reply.wait(for: .seconds(60))
    #expect(ContinuousClock.now - start < .seconds(30))
  }
}
