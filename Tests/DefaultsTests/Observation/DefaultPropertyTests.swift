import Defaults
import DefaultsMacros
import Observation
import TestSupport
import Testing

@testable import Preferences

extension Defaults.Keys {
  private static let suite = PreferencesStore.inMemory()

  fileprivate static let hasUnicorn = Key<Bool>("hasUnicorn", default: false, suite: suite)
  fileprivate static let hasMane = Key<Bool>("hasMane", default: false, suite: suite)
  fileprivate static let horns = Key<Int>("horns", default: 1, suite: suite)
  fileprivate static let heads = Key<Int>("heads", default: 1, suite: suite)
  fileprivate static let name = Key<String?>("name", suite: suite)
  fileprivate static let title = Key<String?>("title", suite: suite)
  fileprivate static let legs = Key<Int>("legs", default: 4, suite: suite)
}

@Suite("@Default(.key) and @ObservableDefault(.key)")
struct DefaultPropertyTests {
  private struct Zoo {
    @Default(.horns) var horns
    @Default(.name) var name: String?

    func rename(_ new: String?) { name = new }
    func reset() { _horns.reset() }
    var hasDefaults: Bool { _horns.isDefaultValue && _name.isDefaultValue }
    var defaultHorns: Int { _horns.defaultValue }
  }

  /// Also has the changes of its property published.
  private struct Herd {
    @Default(.heads) var heads
    var changes: Default<Int>.Publisher { _heads.publisher }
  }

  private final class Keeper {
    @Default(.title) var title
  }

  @Test("A struct's property reads and writes the key")
  func structure() {
    let zoo = Zoo()
    #expect(zoo.hasDefaults)
    zoo.horns += 2
    zoo.rename("Uni")
    #expect(Defaults[.horns] == 3)
    #expect(Defaults[.name] == "Uni")
    #expect(!zoo.hasDefaults)
    #expect(zoo.defaultHorns == 1)
    let values = Recorder<Int>()
    let subscription = zoo.$horns.sink { values.record($0) }
    Defaults[.horns] = 4
    Zoo().horns = 5
    zoo.reset()
    #expect(values.all == [3, 4, 5, 1])
    subscription.cancel()
    zoo.rename(nil)
    #expect(zoo.hasDefaults)
  }

  @Test("A property publishes the changes of its key")
  func changes() {
    let herd = Herd()
    let changes = Recorder<[Int]>()
    let subscription = herd.changes.sink { changes.record([$0.oldValue, $0.newValue]) }
    herd.heads = 2
    #expect(changes.all == [[1, 1], [1, 2]])
    subscription.cancel()
  }

  @Test("A class's property reads and writes the key")
  func finalClass() {
    let keeper = Keeper()
    keeper.title = "Dr"
    keeper.title? += " No"
    #expect(Defaults[.title] == "Dr No")
    #expect(Keeper().title == "Dr No")
    keeper.title = nil
    #expect(Defaults[.title] == nil)
  }

  @Observable
  fileprivate final class UnicornManager {
    @ObservableDefault(.hasUnicorn)
    @ObservationIgnored
    var hasUnicorn: Bool

    var count = 0
  }

  @MainActor @Observable
  fileprivate final class Stable {
    @ObservableDefault(.legs)
    @ObservationIgnored
    var legs: Int
  }

  /// The number of invalidations by a change of what a closure reads.
  private static func invalidations(by change: () -> Void, tracking read: () -> Void) -> Int {
    let invalidations = Recorder<Void>()
    withObservationTracking {
      read()
    } onChange: {
      invalidations.record(())
    }
    change()
    return invalidations.all.count
  }

  @Test("An observable class's property is tracked, however the key is changed")
  func observable() {
    let (one, two) = (UnicornManager(), UnicornManager())
    let suite = Defaults.Keys.hasUnicorn.suite
    func changes(_ change: () -> Void) -> Int {
      Self.invalidations(by: change) { _ = one.hasUnicorn }
    }
    #expect(changes { one.hasUnicorn = true } == 1)
    #expect(changes { two.hasUnicorn = false } == 1)
    #expect(changes { Defaults[.hasUnicorn] = true } == 1)
    #expect(changes { suite.set(false, forKey: "hasUnicorn") } == 1)
    #expect(changes { suite.register(defaults: ["hasUnicorn": true]) } == 0)
    #expect(changes { Defaults.reset(.hasUnicorn) } == 1)
    #expect(one.hasUnicorn && two.hasUnicorn)
    #expect(changes { two.hasUnicorn = true } == 0)
    #expect(changes { one.count += 1 } == 0)
    #expect(Self.invalidations(by: { one.count += 1 }, tracking: { _ = one.count }) == 1)
  }

  @Observable
  fileprivate final class SharedManager: Sendable {
    var hasMane: Bool {
      get { Defaults[.hasMane] }
      set { Defaults[.hasMane] = newValue }
    }
  }

  @Test("A Sendable class's computed property is tracked")
  func shared() {
    let manager = SharedManager()
    func changes(_ change: () -> Void) -> Int {
      Self.invalidations(by: change) { _ = manager.hasMane }
    }
    #expect(changes { Defaults[.hasMane] = true } == 1)
    #expect(changes { manager.hasMane = true } == 0)
    #expect(changes { manager.hasMane = false } == 1)
  }

  @MainActor
  @Test("A main actor class's property is tracked by a sequence of observations")
  func mainActor() async {
    let stable = Stable()
    var values: [Int] = []
    for await legs in Observations({ stable.legs }) {
      values.append(legs)
      switch values.count {
      case 1: stable.legs = 5
      case 2: Defaults[.legs] = 6
      default: break
      }
      if values.count == 3 { break }
    }
    #expect(values == [4, 5, 6])
    Defaults.reset(.legs)
  }
}
