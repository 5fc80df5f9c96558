import Preferences
import PropertyList
import TestSupport
import Testing

@Suite("A handler of the main actor is called there", .timeLimit(.minutes(5)))
@MainActor struct ObservationIsolationTests {
  private final class Model {
    var values: [PlistValue?] = []

    func receive(_ change: PreferencesChange) {
      MainActor.assertIsolated()
      values.append(change.newValue)
    }
  }

  private let store = PreferencesStore.inMemory()
  private let model = Model()

  private func numbers(_ range: ClosedRange<Int64>) -> [PlistValue?] {
    range.map { .integer($0) }
  }

  /// Sets values on another thread.
  private func setElsewhere(_ values: ClosedRange<Int>) {
    let thread = TestThread { [store] in for value in values { store.set(value, forKey: "k") } }
    #expect(thread.join())
  }

  /// Suspends until the model has received a number of values.
  private func receive(_ count: Int) async {
    let deadline = ContinuousClock.now + patience
    while model.values.count < count, ContinuousClock.now < deadline {
      try? await Task.sleep(for: .milliseconds(1))
    }
  }

  @Test("A change that is made there is delivered before the setter returns, the initial one, too")
  func here() {
    let observation = store.observe("k", initial: true) { model.receive($0) }
    #expect(model.values == [nil])
    store.set(1, forKey: "k")
    #expect(model.values == [nil, 1])
    observation.cancel()
  }

  @Test("Changes of another thread are delivered in order, before later ones that are made there")
  func elsewhere() async {
    let observation = store.observe(["k", "l"]) { model.receive($0) }
    setElsewhere(1...50)
    #expect(model.values == [])
    store.set(51, forKey: "k")
    #expect(model.values == numbers(1...51))
    setElsewhere(52...100)
    await receive(100)
    #expect(model.values == numbers(1...100))
    observation.cancel()
  }

  @Test(
    "A change that a handler makes is delivered after it returns, also after one of another thread")
  func nested() async {
    let first = store.observe("k") { change in
      model.receive(change)
      store.set(3, forKey: "l")
      model.values.append(2)
    }
    let second = store.observe("l") { model.receive($0) }
    setElsewhere(1...1)
    await receive(3)
    #expect(model.values == numbers(1...3))
    first.cancel()
    second.cancel()
  }

  @Test("After canceling nothing is delivered, even if it was changed before")
  func cancellation() async {
    let canceled = Model()
    let observation = store.observe("k") { canceled.receive($0) }
    let all = store.observeAll { model.receive($0) }
    setElsewhere(1...3)
    observation.cancel()
    await receive(3)
    #expect(model.values == [1, 2, 3])
    #expect(canceled.values == [])
    all.cancel()
  }

  @Test("The handler of another actor is called on it, in order, beginning with the initial change")
  func otherActor() async {
    actor Counter {
      var values: [PlistValue?] = []
      var observation: PreferencesObservation?

      func start(_ store: PreferencesStore) {
        observation = store.observe("k", initial: true) { change in
          self.assertIsolated()
          self.values.append(change.newValue)
        }
      }
    }
    let counter = Counter()
    await counter.start(store)
    setElsewhere(1...50)
    while await counter.values.count < 51 { await Task.yield() }
    #expect(await counter.values == [nil] + numbers(1...50))
  }

  @Test("A closure without an actor is called on the thread of the change")
  func none() {
    let recorder = Recorder<PlistValue?>()
    let record: @Sendable (PreferencesChange) -> Void = { recorder.record($0.newValue) }
    let observation = store.observe("k", record)
    setElsewhere(1...3)
    #expect(recorder.all == [1, 2, 3])
    observation.cancel()
  }
}
