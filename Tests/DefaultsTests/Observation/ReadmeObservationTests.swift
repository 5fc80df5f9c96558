// Like a program that moves from Defaults, this file imports nothing else.
import Defaults
import TestSupport
import Testing

extension Defaults.Keys {
  private static let suite = UserDefaults.inMemory()

  fileprivate static let isUnicornMode = Key<Bool>("isUnicornMode", default: false, suite: suite)
  fileprivate static let key1 = Key<Int>("key1", default: 0, suite: suite)
  fileprivate static let key2 = Key<String>("key2", default: "", suite: suite)
  fileprivate static let someKey = Key<Bool>("someKey", default: false, suite: suite)
  fileprivate static let watched = Key<Bool>("watched", default: false, suite: suite)
  fileprivate static let published = Key<Int>("published", default: 0, suite: suite)
}

private typealias UserDefaults = Defaults.UserDefaults

@Suite("The examples of Defaults' README work unchanged")
struct ReadmeObservationTests {
  @Test("Changes of a key can be observed")
  func updates() async {
    let task = Task {
      for await value in Defaults.updates(.watched) where value { return value }
      return false
    }
    Defaults[.watched] = true
    #expect(await task.value)
  }

  @Test("Keys can be reset to their default values")
  func reset() {
    Defaults[.isUnicornMode] = true
    #expect(Defaults[.isUnicornMode])
    Defaults.reset(.isUnicornMode)
    #expect(!Defaults[.isUnicornMode])
  }

  @Test("Propagation of changes can be controlled")
  func propagation() {
    let calls = Recorder<Int>()
    let observer = Defaults.observe(keys: .key1, .key2) {
      calls.record(Defaults[.key1])
      Defaults.withoutPropagation {
        Defaults[.key1] = 11
      }
      Defaults[.someKey] = true
    }
    #expect(calls.take() == [0, 11])
    #expect(Defaults[.someKey])
    Defaults[.key1] = 1
    Defaults[.key2] = "a"
    #expect(calls.take() == [1, 11])
    observer.invalidate()
  }

  private final class Controller {
    private var observer: (any Defaults.Observation)?
    private var cancellables = Set<AnyCancellable>()
    let values = Recorder<Int>()

    init() {
      observer = Defaults.observe(.published) { [values] change in values.record(change.newValue) }
      Defaults.publisher(.published, options: [])
        .sink { [values] change in values.record(-change.newValue) }
        .store(in: &cancellables)
    }
  }

  @Test("Observers and subscriptions end with the object that retains them")
  func controller() {
    let values = Recorder<Int>()
    var controller: Controller? = Controller()
    Defaults[.published] = 1
    #expect(controller?.values.all.sorted() == [-1, 0, 1])
    let observer = Defaults.observe(.published) { values.record($0.newValue) }
    if let controller { observer.tieToLifetime(of: controller) }
    weak let gone = controller
    controller = nil
    #expect(gone == nil)
    Defaults[.published] = 2
    #expect(values.all == [1])
  }
}
