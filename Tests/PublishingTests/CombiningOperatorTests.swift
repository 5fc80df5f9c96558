import Publishing
import TestSupport
import Testing
import Threading

@Suite("Operators that combine publishers")
struct CombiningOperatorTests {
  private let first = PassthroughSubject<Int, Failure>()
  private let second = PassthroughSubject<Int, Failure>()

  @Test("merge: the values of all as they come, finished with the last one")
  func merge() {
    let received = Received(first.merge(with: second, OperatorContract.one(0)))
    first.send(1)
    second.send(2)
    first.send(completion: .finished)
    second.send(3)
    #expect(received.completions == [])
    second.send(completion: .finished)
    #expect(received.values == [0, 1, 2, 3])
    #expect(received.completions == [.finished])
  }

  @Test("merge: fails with the first one that fails, and releases the others")
  func mergeFailure() {
    let source = Source<Int, Failure>(Failure.self)
    let received = Received(first.merge(with: source.publisher))
    first.send(completion: .failure(Failure()))
    source.send(1)
    #expect(received.values == [])
    #expect(received.completions == [.failure(Failure())])
    #expect(source.cancellations == 1)
  }

  @Test("MergeMany: the values of any number of publishers", arguments: 0...3)
  func mergeMany(count: Int) {
    let publishers = (0..<count).map { OperatorContract.one($0) }
    let received = Received(Publishers.MergeMany(publishers))
    #expect(received.values == Array(0..<count))
    #expect(received.completions == [.finished])
  }

  @Test("Merge and MergeMany take publishers of one type")
  func mergeTypes() {
    #expect(Received(Publishers.Merge(Just(1), Just(2).map { $0 })).values == [1, 2])
    #expect(Received(Publishers.MergeMany(Just(1), Just(2), Just(3))).values == [1, 2, 3])
  }

  @Test("combineLatest: the latest values whenever one comes, once all have come")
  func combineLatest() {
    let received = Received(first.combineLatest(second).map { [$0, $1] })
    first.send(1)
    first.send(2)
    #expect(received.values == [])
    second.send(10)
    second.send(20)
    first.send(3)
    first.send(completion: .finished)
    second.send(30)
    #expect(received.values == [[2, 10], [2, 20], [3, 20], [3, 30]])
    #expect(received.completions == [])
    second.send(completion: .finished)
    #expect(received.completions == [.finished])
  }

  @Test("combineLatest: finishes when one finishes without a value, since none can follow")
  func combineLatestNothing() {
    let one = Received(first.combineLatest(second).map { $0 + $1 })
    let other = Received(second.combineLatest(first).map { $0 + $1 })
    first.send(1)
    second.send(completion: .finished)
    #expect(one.completions == [.finished])
    #expect(other.completions == [.finished])
  }

  @Test("combineLatest and zip: up to four publishers, as tuples and through a closure")
  func tuples() {
    let (a, b, c, d) = (Just(1), Just("b"), Just(3.0), Just([4]))
    #expect(Received(a.combineLatest(b, c) { "\($0)\($1)\($2)" }).values == ["1b3.0"])
    #expect(Received(a.combineLatest(b, c, d) { "\($0)\($1)\($2)\($3)" }).values == ["1b3.0[4]"])
    #expect(Received(a.zip(b) { "\($0)\($1)" }).values == ["1b"])
    #expect(Received(a.zip(b, c) { "\($0)\($1)\($2)" }).values == ["1b3.0"])
    #expect(Received(a.zip(b, c, d) { "\($0)\($1)\($2)\($3)" }).values == ["1b3.0[4]"])
    let latest = Lock<[String]>([])
    let tokens = [
      Publishers.CombineLatest(a, b).sink { one, two in
        latest.withLock { $0.append("\(one)\(two)") }
      },
      Publishers.CombineLatest3(a, b, c).sink { value in latest.withLock { $0.append("\(value.2)") }
      },
      Publishers.CombineLatest4(a, b, c, d).sink { value in
        latest.withLock { $0.append("\(value.3)") }
      },
      Publishers.Zip(a, b).sink { value in latest.withLock { $0.append("\(value.0)\(value.1)") } },
      Publishers.Zip3(a, b, c).sink { value in latest.withLock { $0.append("\(value.2)") } },
      Publishers.Zip4(a, b, c, d).sink { value in latest.withLock { $0.append("\(value.3)") } },
    ]
    #expect(latest.withLock { $0 } == ["1b", "3.0", "[4]", "1b", "3.0", "[4]"])
    withExtendedLifetime(tokens) {}
  }

  @Test("combineLatest: the last pair has the last values, whichever threads send them")
  func combineLatestThreads() {
    for _ in 0..<50 {
      let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
      let received = Received(first.combineLatest(second).map { [$0, $1] })
      let other = TestThread { for number in 0...100 { second.send(number) } }
      for number in 0...100 { first.send(number) }
      #expect(other.join())
      #expect(eventually { received.values.last == [100, 100] })
    }
  }

  @Test("zip: the values in pairs, finished when one has finished and no value of it is left")
  func zip() {
    let received = Received(first.zip(second).map { [$0, $1] })
    for number in 1...3 { first.send(number) }
    first.send(completion: .finished)
    second.send(10)
    second.send(20)
    #expect(received.values == [[1, 10], [2, 20]])
    #expect(received.completions == [])
    second.send(30)
    #expect(received.values.last == [3, 30])
    #expect(received.completions == [.finished])
  }

  @Test("flatMap: the values of all publishers, finished with the last of them")
  func flatMap() {
    let outer = PassthroughSubject<Bool, Failure>()
    let received = Received(outer.flatMap { [first, second] in $0 ? first : second })
    outer.send(true)
    outer.send(false)
    first.send(1)
    second.send(2)
    outer.send(completion: .finished)
    first.send(3)
    first.send(completion: .finished)
    #expect(received.completions == [])
    second.send(completion: .finished)
    #expect(received.values == [1, 2, 3])
    #expect(received.completions == [.finished])
  }

  @Test("flatMap: fails with any publisher, and cancels the others")
  func flatMapFailure() {
    let outer = Source<Int, Failure>(Failure.self)
    let inner = Source<Int, Failure>(Failure.self)
    let received = Received(
      outer.publisher.flatMap { [first] in
        $0 == 0 ? first.eraseToAnyPublisher() : inner.publisher
      })
    outer.send(0, 1)
    first.send(completion: .failure(Failure()))
    inner.send(1)
    #expect(received.values == [])
    #expect(received.completions == [.failure(Failure())])
    #expect(outer.cancellations == 1)
    #expect(inner.cancellations == 1)
  }

  @Test("switchToLatest: the values of the latest publisher only; the one before is canceled")
  func switchToLatest() {
    let (one, two) = (Source<Int, Failure>(Failure.self), Source<Int, Failure>(Failure.self))
    let outer = PassthroughSubject<AnyPublisher<Int, Failure>, Failure>()
    let received = Received(outer.switchToLatest())
    outer.send(one.publisher)
    one.send(1)
    outer.send(two.publisher)
    #expect(one.cancellations == 1)
    one.send(2)
    two.send(3)
    outer.send(completion: .finished)
    two.send(4)
    #expect(received.completions == [])
    two.end()
    #expect(received.values == [1, 3, 4])
    #expect(received.completions == [.finished])
  }

  @Test("switchToLatest: canceling reaches the latest publisher")
  func switchToLatestCancellation() {
    let (outer, inner) = (Source<Bool, Never>(), Source<Int, Never>())
    let received = Received(outer.publisher.map { _ in inner.publisher }.switchToLatest())
    outer.send(true, false)
    #expect(inner.subscriptions == 2 && inner.cancellations == 1)
    received.cancel()
    #expect(inner.cancellations == 2 && outer.cancellations == 1)
  }

  @Test("share: one subscription for all, from the first one to the last")
  func share() {
    let source = Source(first: 0)
    let shared = source.publisher.share()
    #expect(source.subscriptions == 0)
    let one = Received(shared)
    let two = Received(shared)
    source.send(1)
    #expect(source.subscriptions == 1)
    one.cancel()
    source.send(2)
    #expect(source.cancellations == 0)
    two.cancel()
    #expect(source.cancellations == 1)
    #expect(one.values == [0, 1])
    #expect(two.values == [1, 2])
    let three = Received(shared)
    #expect(source.subscriptions == 2)
    #expect(three.values == [0])
    source.end()
    #expect(three.completions == [.finished])
    #expect(Received(shared).completions == [.finished])
    #expect(source.subscriptions == 2)
  }

  @Test("share: a subscription that ends while the shared one begins ends that")
  func shareEndedAtOnce() {
    let source = Source(first: 1, 2)
    let shared = source.publisher.share()
    #expect(Received(shared.first()).values == [1])
    #expect(source.subscriptions == 1 && source.cancellations == 1)
  }

  @Test("prepend: values, a sequence and a publisher, the latest call first")
  func prepend() {
    let received = Received(
      first.prepend(3).prepend([1, 2]).prepend(second).prepend(OperatorContract.one(0)))
    #expect(received.values == [0])
    second.send(9)
    first.send(5)
    second.send(completion: .finished)
    first.send(6)
    #expect(received.values == [0, 9, 1, 2, 3, 6])
  }

  @Test("prepend: no subscription after the values have been enough, or after a failure")
  func prependEnded() {
    let source = Source<Int, Failure>(Failure.self)
    #expect(Received(source.publisher.prepend(1, 2).prefix(2)).values == [1, 2])
    let received = Received(source.publisher.prepend(first))
    first.send(completion: .failure(Failure()))
    #expect(received.completions == [.failure(Failure())])
    #expect(source.subscriptions == 0)
  }
}
