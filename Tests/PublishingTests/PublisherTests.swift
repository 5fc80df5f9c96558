import Dispatch
import Publishing
import Testing
import Threading

@Suite("A subscription delivers values until it is canceled or completed")
struct PublisherTests {
  @Test("Nothing happens before the first subscription, and each subscription starts anew")
  func lazy() {
    let source = Source(first: 1)
    let publisher = source.publisher.map { $0 * 10 }.eraseToAnyPublisher()
    #expect(source.subscriptions == 0)
    let (one, two) = (Received(publisher), Received(publisher))
    #expect(source.subscriptions == 2)
    source.send(2)
    one.cancel()
    source.send(3)
    #expect(one.values == [10, 20])
    #expect(two.values == [10, 20, 30])
    #expect(source.cancellations == 1)
  }

  @Test("Deallocating a subscription cancels it")
  func release() {
    let source = Source(first: 1)
    let values = Lock<[Int]>([])
    do {
      let subscription = source.publisher.sink { value in values.withLock { $0.append(value) } }
      source.send(2)
      withExtendedLifetime(subscription) {}
    }
    source.send(3)
    #expect(values.withLock { $0 } == [1, 2])
    #expect(source.cancellations == 1)
  }

  @Test("A subscription can be stored in a set or in an array")
  func collections() {
    let source = Source<Int, Never>()
    let values = Lock<[Int]>([])
    var set: Set<AnyCancellable> = []
    var array: [AnyCancellable] = []
    source.publisher.sink { value in values.withLock { $0.append(value) } }.store(in: &set)
    source.publisher.sink { value in values.withLock { $0.append(-value) } }.store(in: &array)
    source.send(1)
    set.removeAll()
    source.send(2)
    array.removeAll()
    source.send(3)
    #expect(values.withLock { $0 } == [1, -1, -2])
    #expect(source.cancellations == 2)
  }

  @Test("No value is delivered after a subscription is canceled by its own receiver")
  func cancelWithin() {
    let source = Source<Int, Never>()
    let received = Received(source.publisher.filter { _ in true }) { received, value in
      if value == 2 {
        received.cancel()
        source.send(3)
      }
    }
    source.send(1, 2, 4)
    source.end()
    #expect(received.values == [1, 2])
    #expect(received.completions == [])
    #expect(source.cancellations == 1)
    received.cancel()
    #expect(source.cancellations == 1)
  }

  @Test("The completion is delivered once, and no value after it")
  func completion() {
    let source = Source<Int, Failure>(Failure.self)
    let received = Received(source.publisher.map { $0 })
    source.send(1)
    source.end(.failure(Failure()))
    source.end()
    source.send(2)
    received.cancel()
    #expect(received.values == [1])
    #expect(received.completions == [.failure(Failure())])
    #expect(source.cancellations == 1)
  }

  @Test("A second completion is ignored")
  func repeatedCompletion() {
    let publisher = AnyPublisher<Int, Never> { subscriber in
      subscriber.receive(1)
      subscriber.receive(completion: .finished)
      subscriber.receive(2)
      subscriber.receive(completion: .finished)
      return AnyCancellable {}
    }
    let (direct, mapped) = (Received(publisher), Received(publisher.map { $0 }))
    #expect(direct.values == [1] && mapped.values == [1])
    #expect(direct.completions == [.finished] && mapped.completions == [.finished])
  }

  @Test("A canceled subscription releases its closures, even if it is kept")
  func releaseWhenCanceled() {
    let source = Source<Int, Never>()
    let lifetime = Lifetime()
    let subscription = lifetime.start { token in
      source.publisher.map { ($0, token) }.sink { _ in _ = token }
    }
    #expect(!lifetime.isOver)
    subscription.cancel()
    #expect(lifetime.isOver)
  }

  @Test("A completed subscription releases its closures, even if it is kept")
  func releaseWhenComplete() {
    let source = Source<Int, Never>()
    let lifetime = Lifetime()
    let subscription = lifetime.start { token in
      source.publisher.map { ($0, token) }.first().sink { _ in _ = token }
    }
    #expect(!lifetime.isOver)
    source.send(1)
    #expect(lifetime.isOver)
    subscription.cancel()
    #expect(source.cancellations == 1)
  }

  @Test("No value is delivered after canceling, with threads that send and cancel at once")
  func threads() {
    for _ in 0..<200 {
      let source = Source<Int, Never>()
      let ended = Lock(false)
      let late = Lock(0)
      let subscription = source.publisher.map { $0 + 1 }.filter { _ in true }.sink { _ in
        if ended.withLock({ $0 }) { late.withLock { $0 += 1 } }
      }
      DispatchQueue.concurrentPerform(iterations: 4) { number in
        if number == 0 {
          for value in 0..<20 { source.send(value) }
        } else {
          subscription.cancel()
        }
      }
      ended.withLock { $0 = true }
      source.send(1)
      #expect(late.withLock { $0 } == 0)
      #expect(source.cancellations == 1)
    }
  }
}
