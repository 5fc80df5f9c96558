import Glibc
import Preferences
import Testing

@Suite("Signals that a process takes", .serialized, .timeLimit(.minutes(5)))
struct TerminationSignalTests {
  // Uses signals that nothing else in the test process uses.

  @Test("Waiting for a signal ends with the time for it")
  func timeout() {
    let signals = TerminationSignals([SIGUSR2])
    #expect(signals.wait(timeout: .milliseconds(10)) == nil)
    kill(getpid(), SIGUSR2)
    #expect(signals.wait() == SIGUSR2)
    #expect(signals.wait(timeout: .zero) == nil)
  }

  @Test("Each object gets the signals that it takes, and a released one none")
  func several() async {
    let (both, one) = (TerminationSignals([SIGUSR2, SIGWINCH]), TerminationSignals([SIGWINCH]))
    do { _ = TerminationSignals([SIGUSR2]) }
    kill(getpid(), SIGUSR2)
    #expect(await both.next() == SIGUSR2)
    kill(getpid(), SIGWINCH)
    #expect(await both.next() == SIGWINCH)
    #expect(await one.next() == SIGWINCH)
  }

  @Test("A task that is canceled gets none, and leaves the signal to the next one")
  func cancellation() async {
    let signals = TerminationSignals([SIGUSR2])
    for isEarly in [true, false] {
      let task = Task {
        if isEarly { withUnsafeCurrentTask { $0?.cancel() } }
        return await signals.next()
      }
      if !isEarly {
        await Task.yield()
        task.cancel()
      }
      #expect(await task.value == nil)
    }
    let next = Task { await signals.next() }
    await Task.yield()
    kill(getpid(), SIGUSR2)
    #expect(await next.value == SIGUSR2)
  }
}
