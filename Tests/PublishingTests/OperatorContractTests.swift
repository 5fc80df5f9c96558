import Dispatch
import Publishing
import TestSupport
import Testing
import Threading

@Suite("Every operator keeps the contract of publishers", .timeLimit(.minutes(5)))
struct OperatorContractTests {
  private let source = Source<Int, Failure>(Failure.self)
  private let scheduler = VirtualScheduler()

  /// Sends a number, and lets the time pass that operators wait.
  private func send(_ number: Int) {
    source.send(number)
    scheduler.advance(by: .seconds(1))
  }

  private func end(_ completion: Subscribers.Completion<Failure>) {
    source.end(completion)
    scheduler.advance(by: .seconds(1))
  }

  @Test("Values come in order, then the completion, and nothing after it", arguments: contracts)
  func order(contract: OperatorContract) {
    let received = Received(contract.apply(source.publisher, scheduler))
    for number in 1...4 { send(number) }
    end(.finished)
    #expect(received.values == contract.values)
    #expect(received.completions == [.finished])
    #expect(source.cancellations == source.subscriptions)
    send(5)
    end(.finished)
    #expect(received.count == contract.values.count + 1)
  }

  @Test("A failure is passed on, and ends the subscription", arguments: contracts)
  func failure(contract: OperatorContract) {
    let received = Received(contract.apply(source.publisher, scheduler))
    send(1)
    send(2)
    end(.failure(Failure()))
    #expect(received.values == contract.valuesBeforeFailure)
    #expect(received.completions == [.failure(Failure())])
    #expect(source.cancellations == source.subscriptions)
  }

  @Test("After canceling nothing is received, and nothing is kept", arguments: contracts)
  func cancellation(contract: OperatorContract) {
    let lifetime = Lifetime()
    let count = Lock(0)
    let subscription = lifetime.start { token in
      contract.apply(source.publisher, scheduler).sink { _ in
        _ = token
        count.withLock { $0 += 1 }
      } receiveValue: { _ in
        count.withLock { $0 += 1 }
      }
    }
    send(1)
    // Some operators schedule this value.
    source.send(2)
    let before = count.withLock { $0 }
    subscription.cancel()
    #expect(source.subscriptions == 1 && source.cancellations == 1)
    scheduler.advance(by: .seconds(1))
    #expect(lifetime.isOver)
    send(3)
    end(.finished)
    #expect(count.withLock { $0 } == before)
  }

  @Test("A completed subscription keeps nothing, even if its token is kept", arguments: contracts)
  func completion(contract: OperatorContract) {
    let lifetime = Lifetime()
    let subscription = lifetime.start { token in
      contract.apply(source.publisher, scheduler).sink { _ in
        _ = token
      } receiveValue: { _ in
      }
    }
    send(1)
    #expect(!lifetime.isOver)
    end(.finished)
    #expect(lifetime.isOver)
    subscription.cancel()
    #expect(source.cancellations == source.subscriptions)
  }

  @Test(
    "A value that is sent by a receiver follows the one that it has received",
    arguments: contracts)
  func reentrancy(contract: OperatorContract) {
    let next = Lock(1)
    let source = source
    @Sendable func sendNext() {
      let number = next.withLock { next in
        defer { next += 1 }
        return next
      }
      if number <= 4 { source.send(number) }
    }
    // What is sent before the subscription to the source has started is lost.
    let isSubscribed = Latch()
    let isReceiving = Lock(false)
    let received = Received(contract.apply(source.publisher, scheduler)) { _, _ in
      #expect(!isReceiving.withLock { exchange(&$0, with: true) })
      if isSubscribed.isOpen { sendNext() }
      isReceiving.withLock { $0 = false }
    }
    isSubscribed.open()
    while next.withLock({ $0 }) <= 4 {
      sendNext()
      scheduler.advance(by: .seconds(1))
    }
    end(.finished)
    #expect(received.values == contract.values)
    #expect(received.completions == [.finished])
  }

  @Test("A receiver can cancel, and receives nothing more", arguments: contracts)
  func cancelWithin(contract: OperatorContract) {
    let received = Received(contract.apply(source.publisher, scheduler)) { received, _ in
      received.cancel()
    }
    for number in 1...4 { send(number) }
    received.cancel()
    end(.finished)
    #expect(received.values.count <= 1)
    #expect(source.cancellations == source.subscriptions)
  }

  @Test(
    "Threads that send at once: nothing is lost, and calls do not overlap",
    arguments: contracts)
  func threads(contract: OperatorContract) {
    let subject = PassthroughSubject<Int, Failure>()
    let isReceiving = Lock(false)
    let overlaps = Lock(0)
    let publisher = contract.apply(
      subject.eraseToAnyPublisher(), DispatchQueue.global(qos: .userInitiated))
    let received = Received(publisher) { _, _ in
      if isReceiving.withLock({ exchange(&$0, with: true) }) { overlaps.withLock { $0 += 1 } }
      isReceiving.withLock { $0 = false }
    }
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for number in 0..<100 { subject.send(100 * thread + number) }
    }
    subject.send(completion: .finished)
    #expect(eventually { !received.completions.isEmpty })
    #expect(overlaps.withLock { $0 } == 0)
    #expect(received.completions == [.finished])
    if contract.isIdentity {
      #expect(received.values.sorted() == Array(0..<400))
      // Each thread's values are in order.
      for thread in 0..<4 {
        let ofThread = received.values.filter { $0 / 100 == thread }
        #expect(ofThread == ofThread.sorted())
      }
    }
  }

  static let contracts = OperatorContract.all
}
