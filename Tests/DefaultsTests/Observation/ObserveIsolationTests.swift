import Defaults
import TestSupport
import Testing

@Suite("A closure of the main actor observes keys there", .timeLimit(.minutes(5)))
@MainActor struct ObserveIsolationTests {
  private final class Model {
    var values: [Int] = []
    var signals = 0

    func receive(_ value: Int) {
      MainActor.assertIsolated()
      values.append(value)
    }
  }

  private let key = KeyFixture().key(default: 0)
  private let model = Model()

  /// Sets values on another thread.
  private func setElsewhere(_ values: ClosedRange<Int>) {
    let thread = TestThread { [key] in for value in values { Defaults[key] = value } }
    #expect(thread.join())
  }

  /// Suspends until the model has received a number of values.
  private func receive(_ count: Int) async {
    let deadline = ContinuousClock.now + patience
    while model.values.count < count, ContinuousClock.now < deadline {
      try? await Task.sleep(for: .milliseconds(1))
    }
  }

  @Test("observe: at once for changes made there, in order for others, none after invalidating")
  func observe() async {
    let observation = Defaults.observe(key) { model.receive($0.newValue) }
    #expect(model.values == [0])
    Defaults[key] = 1
    #expect(model.values == [0, 1])
    setElsewhere(2...50)
    #expect(model.values == [0, 1])
    await receive(51)
    #expect(model.values == Array(0...50))
    setElsewhere(51...52)
    observation.invalidate()
    // Delivered after what was sent before it.
    let last = Defaults.publisher(key).sink { _ in model.signals += 1 }
    setElsewhere(53...54)
    while model.signals < 3 { await Task.yield() }
    #expect(model.values.count == 51)
    last.cancel()
  }

  @Test("observe(keys:): the closure is called on the main actor")
  func observeKeys() async {
    let observation = Defaults.observe(keys: key, options: []) {
      MainActor.assertIsolated()
      model.receive(Defaults[key])
    }
    setElsewhere(1...1)
    #expect(model.values == [])
    await receive(1)
    #expect(model.values == [1])
    observation.invalidate()
  }

  @Test("observe: a change that the closure makes is delivered after it returns, wherever it began")
  func nested() async {
    let other = KeyFixture().key(default: 0)
    let observations = [
      Defaults.observe(key, options: []) { change in
        model.receive(change.newValue)
        Defaults[other] = 3
        model.receive(2)
      },
      Defaults.observe(other, options: []) { model.receive($0.newValue) },
    ]
    setElsewhere(1...1)
    await receive(3)
    #expect(model.values == [1, 2, 3])
    for observation in observations { observation.invalidate() }
  }

  @Test("publisher: sink, assign and operators, with code of the main actor")
  func publisher() async {
    let subscription = Defaults.publisher(key)
      .map { $0.newValue + model.signals }
      .sink { [weak model] in model?.receive($0) }
    setElsewhere(1...10)
    #expect(model.values == [0])
    await receive(11)
    #expect(model.values == Array(0...10))
    subscription.cancel()
    let assignment = Defaults.publisher(key).map(\.newValue).assign(to: \.signals, on: model)
    #expect(model.signals == 10)
    assignment.cancel()
  }
}
