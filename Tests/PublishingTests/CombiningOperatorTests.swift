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
    let received = Received(first.merge(with: second, OperatorContract.of(0)))
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

  @Test("merge takes publishers of several types")
  func mergeTypes() {
    #expect(Received(Just(1).merge(with: Just(2).map { $0 }, Just(3))).values == [1, 2, 3])
  }

  @Test("CombineLatest: the latest values whenever one comes, once all have come")
  func combineLatest() {
    let received = Received(Publishers.CombineLatest(first, second).map { [$0, $1] })
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

  @Test("CombineLatest: finishes when one finishes without a value, since none can follow")
  func combineLatestNothing() {
    let one = Received(Publishers.CombineLatest(first, second).map { $0 + $1 })
    let other = Received(Publishers.CombineLatest(second, first).map { $0 + $1 })
    first.send(1)
    second.send(completion: .finished)
    #expect(one.completions == [.finished])
    #expect(other.completions == [.finished])
  }

  @Test("CombineLatest: the last pair has the last values, whichever threads send them")
  func combineLatestThreads() {
    for _ in 0..<50 {
      let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
      let received = Received(Publishers.CombineLatest(first, second).map { [$0, $1] })
      let other = TestThread { for number in 0...100 { second.send(number) } }
      for number in 0...100 { first.send(number) }
      #expect(other.join())
      #expect(eventually { received.values.last == [100, 100] })
    }
  }
}
