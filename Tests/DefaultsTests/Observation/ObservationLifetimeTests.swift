import Defaults
import TestSupport
import Testing

@testable import Preferences

@Suite("invalidate(), tieToLifetime(of:), removeLifetimeTie()")
struct LifetimeTests {
  private final class Owner {}

  private let store = PreferencesStore.inMemory()
  private let key: Defaults.Key<Int>
  private let values = Recorder<Int>()

  init() {
    key = Defaults.Key("k", default: 0, suite: store)
  }

  private func observe() -> any Defaults.Observation {
    Defaults.observe(key, options: []) { [values] in values.record($0.newValue) }
  }

  @Test("Invalidating ends the observation, and doing so again has no effect")
  func invalidation() {
    let observation = observe()
    Defaults[key] = 1
    observation.invalidate()
    observation.invalidate()
    Defaults[key] = 2
    #expect(values.all == [1])
    #expect(!store.isObserved)
  }

  @Test("A tied observation lives as long as the object, even if not retained")
  func tie() {
    var owner: Owner? = Owner()
    if let owner { observe().tieToLifetime(of: owner) }
    Defaults[key] = 1
    #expect(values.all == [1])
    owner = nil
    Defaults[key] = 2
    #expect(values.all == [1])
    #expect(!store.isObserved)
  }

  @Test("A tied observation ends with the object, even if retained")
  func keptAndTied() {
    var owner: Owner? = Owner()
    let observation = observe()
    if let owner { observation.tieToLifetime(of: owner) }
    Defaults[key] = 1
    owner = nil
    Defaults[key] = 2
    observation.removeLifetimeTie()
    Defaults[key] = 3
    #expect(values.all == [1])
    withExtendedLifetime(observation) {}
  }

  @Test("Without its tie, an observation ends when it is released")
  func removal() {
    var owner: Owner? = Owner()
    var observation: (any Defaults.Observation)? = observe()
    if let owner { observation?.tieToLifetime(of: owner) }
    observation?.removeLifetimeTie()
    owner = nil
    Defaults[key] = 1
    #expect(values.all == [1])
    observation = nil
    Defaults[key] = 2
    #expect(values.all == [1])
    #expect(!store.isObserved)
  }

  @Test("A new tie replaces the previous one")
  func anotherTie() {
    var owners: [Owner] = [Owner(), Owner()]
    observe().tieToLifetime(of: owners[0]).tieToLifetime(of: owners[1])
    owners.removeFirst()
    Defaults[key] = 1
    owners.removeFirst()
    Defaults[key] = 2
    #expect(values.all == [1])
  }

  @Test("A tie does not revive an invalidated observation")
  func invalidAndTied() {
    let owner = Owner()
    weak var observation: (any Defaults.Observation)?
    do {
      let new = observe()
      new.invalidate()
      new.tieToLifetime(of: owner)
      observation = new
    }
    Defaults[key] = 1
    #expect(values.all == [])
    #expect(observation == nil)
    withExtendedLifetime(owner) {}
  }

  @Test("Observations of deallocated objects do not accumulate, even without changes")
  func manyTies() {
    let references = (0..<1000).map { _ in
      let observation = observe()
      observation.tieToLifetime(of: Owner())
      return { [weak observation] in observation != nil }
    }
    let left = references.count { $0() }
    #expect(left < 500)
    Defaults[key] = 1
    #expect(values.all == [])
    #expect(!store.isObserved)
    #expect(!references.contains { $0() })
  }
}
