import Dispatch
import Publishing
import TestSupport
import Testing
import Threading

@Suite("Operators that wait", .timeLimit(.minutes(5)))
struct TimeOperatorTests {
  private let scheduler = VirtualScheduler()
  private let subject = PassthroughSubject<Int, Failure>()

  @Test("debounce: a value that no other one follows in time; the last one is dropped at the end")
  func debounce() {
    let received = Received(subject.debounce(for: .milliseconds(50), scheduler: scheduler))
    subject.send(1)
    scheduler.advance(by: .milliseconds(49))
    subject.send(2)
    scheduler.advance(by: .milliseconds(49))
    #expect(received.values == [])
    scheduler.advance(by: .milliseconds(1))
    #expect(received.values == [2])
    scheduler.advance(by: .seconds(1))
    #expect(received.values == [2])
    subject.send(3)
    subject.send(completion: .finished)
    #expect(received.completions == [])
    scheduler.advance(by: .seconds(1))
    #expect(received.values == [2])
    #expect(received.completions == [.finished])
  }

  @Test(
    "throttle: the first value at once, then one at the end of each interval",
    arguments: [(true, [1, 4, 5, 6]), (false, [1, 2, 5, 6])])
  func throttle(latest: Bool, values: [Int]) {
    let received = Received(
      subject.throttle(for: .milliseconds(100), scheduler: scheduler, latest: latest))
    subject.send(1)
    #expect(received.values == [])
    scheduler.advance(by: .milliseconds(10))
    #expect(received.values == [1])
    subject.send(2)
    subject.send(3)
    scheduler.advance(by: .milliseconds(50))
    subject.send(4)
    #expect(received.values == [1])
    scheduler.advance(by: .milliseconds(40))
    #expect(received.values == Array(values.prefix(2)))
    scheduler.advance(by: .milliseconds(200))
    subject.send(5)
    scheduler.advance(by: 0)
    #expect(received.values == Array(values.prefix(3)))
    subject.send(6)
    subject.send(completion: .finished)
    scheduler.advance(by: .milliseconds(99))
    #expect(received.completions == [])
    scheduler.advance(by: .milliseconds(1))
    #expect(received.values == values)
    #expect(received.completions == [.finished])
  }

  @Test(
    "What waits is released when the subscription is canceled",
    arguments: ["debounce", "throttle", "receive"])
  func release(name: String) {
    let subject = PassthroughSubject<Token, Never>()
    let publisher =
      switch name {
      case "debounce": subject.debounce(for: 1, scheduler: scheduler)
      case "throttle": subject.throttle(for: 1, scheduler: scheduler, latest: true)
      default: subject.receive(on: scheduler)
      }
    let subscription = publisher.sink { _ in }
    let lifetime = Lifetime()
    lifetime.start { subject.send($0) }
    #expect(scheduler.pending == 1)
    #expect(!lifetime.isOver)
    subscription.cancel()
    #expect(lifetime.isOver)
  }

  @Test("Queues are schedulers, with intervals in units and in seconds")
  func queue() {
    let queue = DispatchQueue(label: "test")
    let key = DispatchSpecificKey<Bool>()
    queue.setSpecific(key: key, value: true)
    let onQueue = Recorder<Bool>()
    let received = Received(
      subject.debounce(for: .milliseconds(1), scheduler: queue)
        .throttle(for: 0.001, scheduler: queue, latest: true)
        .receive(on: queue)
    ) { _, _ in
      onQueue.record(DispatchQueue.getSpecific(key: key) == true)
    }
    subject.send(1)
    #expect(eventually { received.values == [1] })
    subject.send(2)
    #expect(eventually { received.values == [1, 2] })
    subject.send(completion: .finished)
    #expect(eventually { received.completions == [.finished] })
    #expect(onQueue.all == [true, true])
  }

  @Test("Times of queues: intervals are added and converted, and stop at the ends of the range")
  func times() {
    typealias Time = DispatchQueue.SchedulerTimeType
    let time = Time(DispatchTime(uptimeNanoseconds: 5_000_000_000))
    #expect(time.advanced(by: .seconds(2)).dispatchTime.uptimeNanoseconds == 7_000_000_000)
    #expect(time.advanced(by: .seconds(-2)).distance(to: time) == .milliseconds(2000))
    #expect(time.distance(to: time.advanced(by: -1)) == .seconds(-1))
    #expect(time.advanced(by: .seconds(Int.max)) > time)
    #expect(Time.Stride.seconds(1.5) == 1.5)
    #expect(Time.Stride.seconds(Double.infinity).magnitude == .max)
    #expect(Time.Stride.seconds(Double.nan).magnitude == 0)
    #expect(Time.Stride.seconds(Int.min).magnitude == .min)
    #expect(Time.Stride(.microseconds(3)) == .nanoseconds(3000))
    #expect(Time.Stride(.never).magnitude == .max)
    #expect(
      Time.Stride.seconds(1) + .milliseconds(1) - .microseconds(1) == .microseconds(1_000_999))
  }
}
