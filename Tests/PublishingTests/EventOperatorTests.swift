import Publishing
import TestSupport
import Testing
import Threading

@Suite("Operators that show what happens")
struct EventOperatorTests {
  @Test("handleEvents: each event before it is passed on; no cancellation after a completion")
  func handleEvents() {
    let events = Recorder<String>()
    let source = Source<Int, Failure>(Failure.self)
    let publisher = source.publisher.handleEvents(
      receiveSubscription: { _ in events.record("subscription") },
      receiveOutput: { events.record("handles \($0)") },
      receiveCompletion: { events.record("handles \($0)") },
      receiveCancel: { events.record("cancel") })
    let subscription = publisher.sink {
      events.record("\($0)")
    } receiveValue: {
      events.record("\($0)")
    }
    source.send(1)
    source.end()
    subscription.cancel()
    #expect(
      events.take() == ["subscription", "handles 1", "1", "handles finished", "finished"])
    Received(publisher).cancel()
    #expect(events.take() == ["subscription", "cancel"])
    let first = Received(publisher.first())
    source.send(2)
    #expect(first.values == [2])
    #expect(events.take() == ["subscription", "handles 2", "cancel"])
  }

  @Test("print: a line for each event")
  func print() {
    let stream = Stream()
    let source = Source<Int, Failure>(Failure.self)
    let publisher = source.publisher.print("test", to: stream)
    let received = Received(publisher)
    source.send(1)
    source.end(.failure(Failure()))
    #expect(
      stream.lines.take() == [
        "test: receive subscription: (AnyPublisher<Int, Failure>)\n",
        "test: receive value: (1)\n", "test: receive error: (Failure())\n",
      ])
    Received(source.publisher.print(to: stream)).cancel()
    #expect(
      stream.lines.take() == [
        "receive subscription: (AnyPublisher<Int, Failure>)\n", "receive cancel\n",
      ])
    withExtendedLifetime(received) {}
  }

  private final class Stream: TextOutputStream {
    let lines = Recorder<String>()

    func write(_ string: String) {
      lines.record(string)
    }
  }
}
