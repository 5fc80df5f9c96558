import Dispatch
import Publishing
import TestSupport
import Testing

@Suite("Just and PassthroughSubject")
struct SubjectTests {
  @Test("Just: one value and the completion")
  func just() {
    #expect(Received(Just(1)).values == [1])
    #expect(Received(Just(1)).completions == [.finished])
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
  }

  @Test("A subject releases canceled subscribers")
  func release() {
    let subject = PassthroughSubject<Int, Never>()
    let lifetime = Lifetime()
    lifetime.start { token in subject.sink { _ in _ = token } }.cancel()
    #expect(lifetime.isOver)
  }

  @Test("All subscribers receive the same values in the same order")
  func threads() {
    let subject = PassthroughSubject<Int, Never>()
    let (one, two) = (Received(subject), Received(subject))
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for number in 0..<100 { subject.send(100 * thread + number) }
    }
    #expect(eventually { one.count == 400 && two.count == 400 })
    #expect(one.values == two.values)
  }
}
