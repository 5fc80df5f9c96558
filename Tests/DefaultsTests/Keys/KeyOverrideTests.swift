import Defaults
import Observation
import TestSupport
import Testing

extension Defaults.Keys {
  /// Created once, by the test that runs first.
  fileprivate static let count = Key<Int>("count", default: 1)
  fileprivate static let title = Key<String?>("title")
  fileprivate static let folder = Key<String>("folder") { "dynamic" }
  fileprivate static let colors = Key<[String]>("colors", default: ["red"])
}

@Suite("Keys of the standard store in tests that run in parallel", .timeLimit(.minutes(5)))
struct KeyOverrideTests {
  private struct Page {
    @Default(.count) var count
    @Default(.title) var title
  }

  private static let network = Defaults.Namespace("network")
  private static let proxy = network.key("proxy", default: "none")

  @Test("Each test has its own values and defaults", arguments: 1...16)
  func values(number: Int) async throws {
    let store = PreferencesStore.inMemory()
    try await PreferencesStore.withStandard(store) {
      #expect(Defaults[.count] == 1)
      #expect(store.integer(forKey: "count") == 1, "the default is registered")
      #expect(Defaults[.folder] == "dynamic")
      #expect(Defaults.Keys.count.suite === store)
      #expect(Self.network.suite === store)
      #expect(Defaults.Keys.count.isDefaultValue)
      let page = Page()
      for round in 1...20 {
        Defaults[.count] = number * 100 + round
        Defaults[.title] = "test \(number)"
        Defaults[.colors].append("\(number)")
        Defaults[Self.proxy] = "proxy \(number)"
        await Task.yield()
        #expect(page.count == number * 100 + round)
        #expect(page.title == "test \(number)")
        #expect(Defaults[.colors] == ["red"] + Array(repeating: "\(number)", count: round))
        #expect(PreferencesStore.standard[.count] == number * 100 + round)
        #expect(try Defaults.Keys.count.load() == number * 100 + round)
        #expect(Self.network.names == ["proxy"])
        #expect(store.string(forKey: "network.proxy") == "proxy \(number)")
      }
      #expect(!Defaults.Keys.count.isDefaultValue)
      try Defaults.Keys.title.store("stored")
      #expect(store.string(forKey: "title") == "stored")
      Defaults.reset(.count, .title)
      Defaults.reset(["colors"])
      #expect(Defaults[.count] == 1 && Defaults[.title] == nil && Defaults[.colors] == ["red"])
      Defaults.removeAll()
      #expect(Defaults[Self.proxy] == "none")
    }
  }

  @Test("Each test has its own changes", arguments: 101...116)
  func changes(number: Int) async {
    let store = PreferencesStore.inMemory()
    await PreferencesStore.withStandard(store) {
      let (observed, published, any) = (Recorder<Int>(), Recorder<Int>(), Recorder<Int>())
      let observations = [
        Defaults.observe(.count, options: []) { observed.record($0.newValue) },
        Defaults.observe(keys: .count, .title, options: []) { any.record(number) },
      ]
      let subscriptions = [
        Defaults.publisher(.count, options: []).sink { published.record($0.newValue) },
        Defaults.publisher(keys: .title, options: []).sink { any.record(-number) },
        Page().$count.sink { published.record($0) },
      ]
      var updates = Defaults.updates(.count).makeAsyncIterator()
      var pairs = Defaults.updates(.count, .title).makeAsyncIterator()
      #expect(await updates.next() == 1)
      #expect(await pairs.next().map { $0 == (1, nil) } == true)
      Defaults[.count] = number
      #expect(await updates.next() == number)
      #expect(await pairs.next().map { $0 == (number, nil) } == true)
      Defaults[.title] = "title"
      #expect(await pairs.next().map { $0 == (number, "title") } == true)
      #expect(observed.all == [number])
      // The publisher of the property begins with the present value.
      #expect(published.all.filter { $0 == number }.count == 2)
      #expect(any.all.sorted() == [number, number, -number].sorted())
      // An observer is called on the thread that makes the change.
      let thread = TestThread { store.set(-number, forKey: "count") }
      #expect(await eventually { thread.isFinished })
      #expect(observed.all == [number, -number])
      #expect(await updates.next() == -number)
      for observation in observations { observation.invalidate() }
      for subscription in subscriptions { subscription.cancel() }
      let changed = Recorder<Int>()
      withObservationTracking {
        _ = Defaults[.count]
      } onChange: {
        changed.record(number)
      }
      Defaults[.count] = 0
      #expect(changed.all == [number])
    }
  }

  @Test("A key of one store stays there, and keys of the standard one are equal")
  func fixed() {
    let own = PreferencesStore.inMemory()
    let fixed = Defaults.Key<Int>("count", default: 1, suite: own)
    PreferencesStore.withStandard(.inMemory()) {
      Defaults[fixed] = 2
      #expect(!PreferencesStore.standard.containsValue(forKey: "count"))
      #expect(fixed != Defaults.Keys.count)
      #expect(Defaults.Key<Int>("count", default: 1) == Defaults.Keys.count)
      #expect(own[.count] == 2)
    }
    #expect(own.integer(forKey: "count") == 2)
  }
}
