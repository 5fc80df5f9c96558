import Foundation
import PreferencesFoundation
import Publishing
import TestSupport
import Testing
import Threading

@Suite("Run loops and operation queues are schedulers", .timeLimit(.minutes(5)))
struct SchedulerTests {
  @Test("A run loop delivers values in order on its thread, with intervals in units and seconds")
  func runLoop() {
    let subject = PassthroughSubject<Int, Never>()
    let values = Recorder<Int>()
    let (started, ended) = (Latch(), Latch())
    let thread = TestThread {
      let thread = ObjectIdentifier(Thread.current)
      let loop = RunLoop.current
      let subscription = subject.receive(on: loop)
        .throttle(for: .milliseconds(1), scheduler: loop, latest: true)
        .debounce(for: .seconds(0.001), scheduler: loop)
        .sink { value in
          #expect(ObjectIdentifier(Thread.current) == thread)
          values.record(value)
        }
      let all = subject.receive(on: loop).sink { value in values.record(-value) }
      started.open()
      while !ended.isOpen { loop.run(until: Date(timeIntervalSinceNow: 0.01)) }
      withExtendedLifetime((subscription, all)) {}
    }
    started.wait()
    for number in 1...20 { subject.send(number) }
    #expect(
      eventually { values.all.last == 20 || values.all.contains(20) && values.all.count > 20 })
    ended.open()
    #expect(thread.join())
    #expect(values.all.filter { $0 < 0 } == (1...20).map { -$0 })
  }

  @Test("An operation queue delivers values in order")
  func operationQueue() {
    let queue = OperationQueue()
    let subject = PassthroughSubject<Int, Never>()
    let values = Recorder<Int>()
    let subscription = subject.receive(on: queue)
      .sink { value in
        #expect(OperationQueue.current === queue)
        values.record(value)
      }
    for number in 1...20 { subject.send(number) }
    #expect(eventually { values.all.count == 20 })
    #expect(values.all == Array(1...20))
    subscription.cancel()
  }

  @Test(
    "The main run loop and the main operation queue deliver on the main queue, whoever serves it")
  func main() {
    let subject = PassthroughSubject<Int, Never>()
    let (one, two, three) = (Recorder<Int>(), Recorder<Int>(), Recorder<Int>())
    let subscriptions = [
      subject.receive(on: RunLoop.main).sink { value in
        dispatchPrecondition(condition: .onQueue(.main))
        one.record(value)
      },
      subject.debounce(for: 0.01, scheduler: RunLoop.main).sink { two.record($0) },
      subject.receive(on: OperationQueue.main).sink { three.record($0) },
    ]
    for number in 1...20 { subject.send(number) }
    #expect(eventually { one.all == Array(1...20) && two.all.last == 20 })
    #expect(eventually { three.all == Array(1...20) })
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test("Times of run loops: intervals are added and converted")
  func times() {
    typealias Time = RunLoop.SchedulerTimeType
    let time = Time(Date(timeIntervalSinceReferenceDate: 10))
    #expect(time.advanced(by: .seconds(2)).date.timeIntervalSinceReferenceDate == 12)
    #expect(time.distance(to: time.advanced(by: -1.5)) == -1.5)
    #expect(Time.Stride.milliseconds(5) - .microseconds(5000) < .nanoseconds(1))
    #expect(Time.Stride(exactly: 3)?.magnitude == 3)
  }
}
