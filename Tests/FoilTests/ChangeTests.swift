import Foil
import Foundation
import Observation
import PropertyList
import Testing
import Threading

@Suite("Changes of a wrapped property can be observed", .timeLimit(.minutes(5)))
struct ChangeTests {
  struct Settings {
    @FoilDefaultStorage var flag: Bool
    @FoilDefaultStorageOptional var average: Double?

    init(_ store: PreferencesStore) {
      _flag = FoilDefaultStorage(wrappedValue: false, key: "flag", userDefaults: store)
      _average = FoilDefaultStorageOptional(key: "average", userDefaults: store)
    }
  }

  private let store = PreferencesStore.inMemory()

  @Test("$x: the current value first, then every change, including direct writes to the store")
  func publisher() {
    let settings = Settings(store)
    let (flags, averages) = (Lock<[Bool]>([]), Lock<[Double?]>([]))
    var subscriptions: Set<AnyCancellable> = []
    settings.$flag.sink { value in flags.withLock { $0.append(value) } }.store(in: &subscriptions)
    settings.$average.sink { value in averages.withLock { $0.append(value) } }
      .store(in: &subscriptions)
    settings.flag = true
    settings.flag = true
    settings.average = 0.5
    store.set(false, forKey: "flag")
    store.removeObject(forKey: "average")
    store.register(defaults: ["flag": true])
    #expect(flags.withLock { $0 } == [false, true, false])
    #expect(averages.withLock { $0 } == [nil, 0.5, nil])
    subscriptions.removeAll()
    settings.flag = true
    #expect(flags.withLock { $0 } == [false, true, false])
  }

  /// A type that counts how often a value is created from its stored form.
  struct Counted: UserDefaultsSerializable {
    static let count = Lock(0)
    var storedValue: Int

    init(storedValue: Int) {
      Self.count.withLock { $0 += 1 }
      self.storedValue = storedValue
    }
  }

  @Test("$x: observes only while there is a subscription")
  func lazy() {
    let wrapper = FoilDefaultStorageOptional<Counted>(key: "k", userDefaults: store)
    let publisher = wrapper.projectedValue.map { $0?.storedValue }
    let values = Lock<[Int?]>([])
    store.set(1, forKey: "k")
    store.set(2, forKey: "k")
    #expect(Counted.count.withLock { $0 } == 0)
    let subscription = publisher.sink { value in values.withLock { $0.append(value) } }
    store.set(3, forKey: "k")
    #expect(values.withLock { $0 } == [2, 3])
    subscription.cancel()
    let count = Counted.count.withLock { $0 }
    store.set(4, forKey: "k")
    #expect(Counted.count.withLock { $0 } == count)
  }

  @Test("$x: a value that the receiver sets is delivered after it returns")
  func nesting() {
    let settings = Settings(store)
    let averages = Lock<[Double?]>([])
    let subscription = settings.$average.sink { value in
      averages.withLock { $0.append(value) }
      if let value, value < 3 { settings.average = value + 1 }
    }
    settings.average = 1
    #expect(averages.withLock { $0 } == [nil, 1, 2, 3])
    subscription.cancel()
  }

  @Test("$x and the property: a change by another process")
  func otherProcess() async throws {
    let temporary = try TemporaryStore()
    let settings = Settings(temporary.store)
    settings.average = 1
    try await temporary.store.flush()
    var averages = settings.$average.values.makeAsyncIterator()
    #expect(await averages.next() == 1)
    try temporary.rewrite { $0["average"] = 2 }
    #expect(await averages.next() == 2)
    #expect(settings.average == 2)
  }

  @Test("withObservationTracking is notified of a change of a property that was read")
  func tracking() {
    let settings = Settings(store)
    let calls = Lock(0)
    func track() {
      withObservationTracking {
        _ = settings.flag
      } onChange: {
        calls.withLock { $0 += 1 }
      }
    }
    track()
    settings.average = 1
    settings.flag = false
    #expect(calls.withLock { $0 } == 0)
    settings.flag = true
    settings.flag = false
    #expect(calls.withLock { $0 } == 1)
    track()
    store.set(true, forKey: "flag")
    #expect(calls.withLock { $0 } == 2)
  }

  @Test("Observations yields the current value after each change")
  func observations() async {
    let settings = Settings(store)
    var values: [Double?] = []
    for await value in Observations({ settings.average }) {
      values.append(value)
      switch values.count {
      case 1: settings.average = 1
      case 2: store.set(2, forKey: "average")
      default: break
      }
      if values.count == 3 { break }
    }
    #expect(values == [nil, 1, 2])
  }

  @Test("$x can be iterated")
  func values() async {
    let settings = Settings(store)
    var values: [Bool] = []
    for await value in settings.$flag.dropFirst().values.prefix(0) { values.append(value) }
    for await value in settings.$flag.values {
      values.append(value)
      if values.count == 3 { break }
      settings.flag.toggle()
    }
    #expect(values == [false, true, false])
  }

  @Test("A subscription that has ended keeps neither the wrapper nor the store alive")
  func release() {
    weak var released: PreferencesStore?
    var subscription: AnyCancellable?
    do {
      let store = PreferencesStore.inMemory()
      released = store
      subscription = Settings(store).$flag.sink { _ in }
    }
    #expect(released != nil)
    subscription?.cancel()
    #expect(released == nil)
  }

  @Test("16 threads use one wrapper: each change is a value that was set, and the last one stays")
  func threads() {
    @FoilDefaultStorage(key: "p", userDefaults: store) var profile = Profile()
    let wrapper = _profile
    let received = Lock<[Profile]>([])
    let subscription = wrapper.projectedValue.sink { value in
      received.withLock { $0.append(value) }
    }
    let strange = Lock<[Profile]>([])
    DispatchQueue.concurrentPerform(iterations: 16) { number in
      for round in 0..<50 {
        wrapper.wrappedValue = Profile(name: "thread \(number)", level: round)
        let value = wrapper.wrappedValue
        if !value.name.hasPrefix("thread ") || !(0..<50).contains(value.level) {
          strange.withLock { $0.append(value) }
        }
        let inner = wrapper.projectedValue.first().sink { _ in }
        withObservationTracking {
          _ = wrapper.wrappedValue
        } onChange: {
        }
        if round % 2 == 0 { inner.cancel() }
      }
    }
    #expect(strange.withLock { $0 } == [])
    let values = received.withLock { $0 }
    #expect(values.first == Profile())
    #expect(values.last == wrapper.wrappedValue)
    #expect(zip(values, values.dropFirst()).allSatisfy { $0 != $1 })
    subscription.cancel()
  }
}
