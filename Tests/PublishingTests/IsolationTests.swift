import Dispatch
import Publishing
import TestSupport
import Testing
import Threading

@Suite("Closures of an actor are called on it", .timeLimit(.minutes(5)))
struct IsolationTests {
  @MainActor final class Model {
    var values: [Int] = []
    var completions = 0
    var factor = 10
    var latest = 0
    var subscriptions: Set<AnyCancellable> = []

    func receive(_ value: Int) {
      MainActor.assertIsolated()
      values.append(value)
    }
  }

  private let subject = PassthroughSubject<Int, Never>()

  /// Sends values on another thread.
  private func sendElsewhere(_ values: ClosedRange<Int>) {
    let thread = TestThread { [subject] in for value in values { subject.send(value) } }
    #expect(thread.join())
  }

  /// Suspends until a condition holds.
  @MainActor private func soon(_ condition: @MainActor () -> Bool) async -> Bool {
    let deadline = ContinuousClock.now + patience
    while !condition(), ContinuousClock.now < deadline {
      try? await Task.sleep(for: .milliseconds(1))
    }
    return condition()
  }

  @Test("On the main actor a value is delivered before the sender goes on")
  @MainActor func synchronous() {
    let model = Model()
    subject.sink { model.receive($0) }.store(in: &model.subscriptions)
    subject.send(1)
    #expect(model.values == [1])
  }

  @Test("Values of another thread are delivered on the main actor, in order")
  @MainActor func otherThread() async {
    let model = Model()
    subject.sink { model.receive($0) }.store(in: &model.subscriptions)
    sendElsewhere(1...100)
    #expect(model.values == [])
    subject.send(101)
    #expect(model.values == Array(1...101))
    sendElsewhere(102...200)
    #expect(await soon { model.values.count == 200 })
    #expect(model.values == Array(1...200))
  }

  @Test("After canceling on the main actor nothing is delivered, even if it was sent before")
  @MainActor func cancellation() async {
    let (model, other) = (Model(), Model())
    subject.sink { model.receive($0) }.store(in: &model.subscriptions)
    subject.sink { other.receive($0) }.store(in: &other.subscriptions)
    sendElsewhere(1...3)
    model.subscriptions = []
    #expect(await soon { other.values.count == 3 })
    #expect(model.values == [])
  }

  @Test("The completion is delivered on the main actor, after the values")
  @MainActor func completion() async {
    let model = Model()
    subject.sink(
      receiveCompletion: { _ in
        MainActor.assertIsolated()
        model.completions = model.values.count
      }, receiveValue: { model.receive($0) }
    ).store(in: &model.subscriptions)
    sendElsewhere(1...3)
    subject.send(completion: .finished)
    #expect(model.completions == 3)
  }

  @Test("A method of a class of the main actor is a closure of the main actor")
  @MainActor func method() async {
    let model = Model()
    subject.sink(receiveValue: model.receive).store(in: &model.subscriptions)
    sendElsewhere(1...3)
    #expect(await soon { model.values == [1, 2, 3] })
  }

  @Test("Only one of two closures belongs to the main actor")
  @MainActor func one() async {
    let (model, values) = (Model(), Recorder<Int>())
    let record: @Sendable (Int) -> Void = { values.record($0) }
    subject.sink(
      receiveCompletion: { _ in model.completions += 1 },
      receiveValue: record
    ).store(in: &model.subscriptions)
    sendElsewhere(1...2)
    subject.send(completion: .finished)
    #expect(values.all == [1, 2])
    #expect(model.completions == 1)
  }

  @Test("assign sets the property on the actor of the caller")
  @MainActor func assign() async {
    let model = Model()
    subject.assign(to: \.latest, on: model).store(in: &model.subscriptions)
    subject.send(1)
    #expect(model.latest == 1)
    sendElsewhere(2...3)
    #expect(model.latest == 1)
    #expect(await soon { model.latest == 3 })
  }

  @Test("assign without an actor sets the property on the thread of the sender")
  func assignAnywhere() {
    final class Plain { var latest = 0 }
    let plain = Plain()
    let subscription = subject.assign(to: \.latest, on: plain)
    subject.send(1)
    #expect(plain.latest == 1)
    subscription.cancel()
    subject.send(2)
    #expect(plain.latest == 1)
  }

  @Test("Closures of operators are called on the main actor, too")
  @MainActor func operators() async {
    let model = Model()
    let elsewhere = Recorder<Int>()
    subject.filter { _ in model.factor > 0 }
      .map { value in
        MainActor.assertIsolated()
        return value * model.factor
      }
      .compactMap { model.factor == 0 ? nil : $0 }
      .sink { elsewhere.record($0) }
      .store(in: &model.subscriptions)
    sendElsewhere(1...2)
    #expect(elsewhere.all == [])
    #expect(await soon { elsewhere.all == [10, 20] })
  }

  @Test("Closures of another actor are called on it, in order")
  func otherActor() async {
    actor Counter {
      var values: [Int] = []
      var subscription: AnyCancellable?

      func start(_ publisher: some Publisher<Int, Never>) {
        subscription = publisher.sink { value in
          self.assertIsolated()
          self.values.append(value)
        }
      }
    }
    let counter = Counter()
    await counter.start(subject)
    for value in 1...100 { subject.send(value) }
    while await counter.values.count < 100 { await Task.yield() }
    #expect(await counter.values == Array(1...100))
  }

  @Test("Closures without an actor are called on the thread of the sender")
  func none() {
    let received = Received(subject)
    sendElsewhere(1...2)
    #expect(received.values == [1, 2])
  }
}
