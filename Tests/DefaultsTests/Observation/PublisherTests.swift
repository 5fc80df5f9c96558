import Defaults
import TestSupport
import Testing

@testable import Preferences

@Suite("publisher(key), publisher(keys:)")
struct PublisherTests {
  private let store = PreferencesStore.inMemory()
  private let key: Defaults.Key<Int>
  private let other: Defaults.Key<String>
  private let values = Recorder<Int>()

  init() {
    key = Defaults.Key("k", default: 0, suite: store)
    other = Defaults.Key("other", default: "", suite: .inMemory())
  }

  @Test("A subscriber receives the current value and each change until it cancels")
  func changes() {
    let publisher = Defaults.publisher(key)
    #expect(!store.isObserved)
    Defaults[key] = 1
    let subscription = publisher.sink { [values] change in
      #expect(change.kind == .setting && !change.isPrior)
      values.record(change.newValue)
    }
    Defaults[key] = 2
    Defaults[key] = 2
    store.set(3, forKey: "k")
    Defaults.reset(key)
    #expect(values.take() == [1, 2, 3, 0])
    subscription.cancel()
    #expect(!store.isObserved)
    Defaults[key] = 4
    #expect(values.take() == [])
  }

  @Test("Publishers take the options of observers")
  func options() {
    let subscription = Defaults.publisher(key, options: [.prior]).sink { [values] change in
      values.record(change.isPrior ? -change.newValue : change.newValue)
    }
    Defaults[key] = 1
    #expect(values.take() == [-1, 1])
    subscription.cancel()
  }

  @Test("A publisher of several keys signals each change")
  func keys() {
    let list: [Defaults._AnyKey] = [key, other]
    let subscriptions = [
      Defaults.publisher(keys: key, other).sink { [values] in values.record(1) },
      Defaults.publisher(keys: list, options: []).sink { [values] in values.record(2) },
    ]
    #expect(values.take() == [1, 1])
    Defaults[key] = 1
    Defaults[other] = "a"
    Defaults[other] = "a"
    #expect(values.take().sorted() == [1, 1, 2, 2])
    for subscription in subscriptions { subscription.cancel() }
    #expect(!store.isObserved && !other.suite.isObserved)
  }

  @Test("A subscription ends when its set is emptied")
  func keeping() {
    var subscriptions = Set<AnyCancellable>()
    let publisher: AnyPublisher<Defaults.KeyChange<Int>, Never> = Defaults.publisher(key)
    publisher.sink { [values] in values.record($0.newValue) }.store(in: &subscriptions)
    let second: Defaults.AnyCancellable = publisher.sink { [values] in values.record(-$0.newValue) }
    second.store(in: &subscriptions)
    Defaults[key] = 1
    #expect(values.take().sorted() == [-1, 0, 0, 1])
    subscriptions.removeAll()
    #expect(store.isObserved)
    second.cancel()
    #expect(!store.isObserved)
  }
}
