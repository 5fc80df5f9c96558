import Dispatch
import Publishing
import TestSupport
import Testing
import Threading

@Suite("Publishers of given values, and subjects")
struct SubjectTests {
  @Test("Just, Empty and Fail")
  func simple() {
    #expect(Received(Just(1)).values == [1])
    #expect(Received(Just(1)).completions == [.finished])
    #expect(Just(1).output == 1)
    let empty = Received(Empty(outputType: Int.self, failureType: Never.self))
    #expect(empty.count == 1 && empty.completions == [.finished])
    #expect(Received(Empty<Int, Never>(completeImmediately: false)).count == 0)
    let failed = Received(Fail(outputType: Int.self, failure: Failure()))
    #expect(failed.count == 1 && failed.completions == [.failure(Failure())])
  }

  @Test("A publisher can be passed on with its types alone, and without its own type")
  func types() {
    func sum(_ publisher: some Publisher<Int, Never>) -> Int {
      Received(publisher.collect()).values.joined().reduce(0, +)
    }
    let anything: any Publisher<Int, Never> = Just(1)
    #expect(sum(Just(3)) + sum(anything) + sum(anything.eraseToAnyPublisher()) == 5)
    #expect(sum(AnyPublisher(Just(4))) == 4)
  }

  @Test("Future: the first result, whenever it comes, for all subscribers")
  func future() {
    let promise = Lock<Future<Int, Failure>.Promise?>(nil)
    let future = Future<Int, Failure> { new in promise.withLock { $0 = new } }
    let early = Received(future)
    #expect(early.count == 0)
    promise.withLock { $0 }?(.success(1))
    promise.withLock { $0 }?(.success(2))
    for received in [early, Received(future)] {
      #expect(received.values == [1])
      #expect(received.completions == [.finished])
    }
    let failing = Received(Future<Int, Failure> { $0(.failure(Failure())) })
    #expect(failing.count == 1 && failing.completions == [.failure(Failure())])
  }

  @Test("PassthroughSubject: what is sent from the subscription on")
  func passthrough() {
    let subject = PassthroughSubject<Int, Never>()
    subject.send(1)
    let received = Received(subject)
    subject.send(2)
    subject.send(completion: .finished)
    subject.send(3)
    #expect(received.values == [2])
    #expect(received.completions == [.finished])
    let late = Received(subject)
    #expect(late.values == [] && late.completions == [.finished])
    let signal = PassthroughSubject<Void, Never>()
    let signals = Received(signal.map { 1 })
    signal.send()
    #expect(signals.values == [1])
  }

  @Test("CurrentValueSubject: the value first, and every one that is set")
  func currentValue() {
    let subject = CurrentValueSubject<Int, Never>(1)
    let received = Received(subject)
    subject.value = 2
    subject.value += 1
    subject.send(4)
    #expect(subject.value == 4)
    #expect(received.values == [1, 2, 3, 4])
    #expect(Received(subject).values == [4])
    subject.send(completion: .finished)
    subject.send(5)
    #expect(subject.value == 4)
    #expect(Received(subject).values == [])
  }

  @Test("A subject can be subscribed to a publisher, and releases subscribers")
  func subscribe() {
    let source = Source(first: 1)
    let subject = PassthroughSubject<Int, Never>()
    let received = Received(subject)
    let subscription = source.publisher.subscribe(subject)
    source.send(2)
    subscription.cancel()
    source.send(3)
    #expect(received.values == [1, 2])
    let weak = Lock(WeakToken())
    let one = { () -> AnyCancellable in
      let token = Token()
      weak.withLock { $0.token = token }
      return subject.sink { _ in _ = token }
    }()
    one.cancel()
    #expect(weak.withLock { $0.token } == nil)
  }

  @Test("All subscribers receive the same values in the same order, and end with the value")
  func threads() {
    let subject = CurrentValueSubject<Int, Never>(-1)
    let (one, two) = (Received(subject), Received(subject))
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for number in 0..<100 { subject.send(100 * thread + number) }
    }
    #expect(eventually { one.count == 401 && two.count == 401 })
    #expect(one.values == two.values)
    #expect(one.values.last == subject.value)
  }

  @Test("A token can be made of anything that can be canceled")
  func cancellable() {
    struct Activity: Cancellable {
      let recorder: Recorder<Int>
      func cancel() { recorder.record(1) }
    }
    let recorder = Recorder<Int>()
    var set: Set<AnyCancellable> = []
    Activity(recorder: recorder).store(in: &set)
    var array = [AnyCancellable(Activity(recorder: recorder))]
    #expect(recorder.all == [])
    set = []
    array.removeAll()
    #expect(recorder.all == [1, 1])
  }
}
