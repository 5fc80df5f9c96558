import Foundation
import PropertyList
import TestSupport
import Testing

import Threading
@testable import Defaults
@testable import Preferences

@Suite("observe(key, options:), observe(keys:)", .timeLimit(.minutes(5)))
struct ObserveTests {
  typealias Change = Defaults.KeyChange<Int>

  private let store = PreferencesStore.inMemory()
  private let key: Defaults.Key<Int>
  private let changes = Recorder<Change>()

  init() {
    key = Defaults.Key("k", default: 1, suite: store)
  }

  private static func change(_ old: Int, _ new: Int, isPrior: Bool = false) -> Change {
    Change(kind: .setting, isPrior: isPrior, oldValue: old, newValue: new)
  }

  @Test("The handler is called before observe returns, and before each write returns")
  func changesAreDelivered() {
    Defaults[key] = 2
    let threads = Recorder<pthread_t>()
    let observation = Defaults.observe(key) { [changes] change in
      threads.record(pthread_self())
      changes.record(change)
    }
    #expect(changes.take() == [Self.change(2, 2)])
    Defaults[key] = 3
    #expect(changes.take() == [Self.change(2, 3)])
    Defaults[key] += 1
    #expect(changes.take() == [Self.change(3, 4)])
    store.set(5, forKey: "k")
    #expect(changes.take() == [Self.change(4, 5)])
    Defaults.reset(key)
    #expect(changes.take() == [Self.change(5, 1)])
    store.register(defaults: ["k": 6])
    #expect(changes.take() == [Self.change(1, 6)])
    #expect(threads.all.allSatisfy { $0 == pthread_self() })
    observation.invalidate()
  }

  @Test("Without options, the handler is called for changes only")
  func noOptions() {
    let options: Set<Defaults.ObservationOption> = []
    let observation = Defaults.observe(key, options: options) { [changes] in changes.record($0) }
    #expect(changes.take() == [])
    Defaults[key] = 2
    #expect(changes.take() == [Self.change(1, 2)])
    observation.invalidate()
  }

  @Test("With the prior option, the handler is called twice for each change and once initially")
  func prior() {
    let observation = Defaults.observe(key, options: [.initial, .prior]) { [changes] in
      changes.record($0)
    }
    #expect(changes.take() == [Self.change(1, 1)])
    Defaults[key] = 2
    let both = changes.take()
    #expect(both == [Self.change(1, 2, isPrior: true), Self.change(1, 2)])
    #expect(both.allSatisfy { $0.indexes == nil })
    observation.invalidate()
  }

  @Test("An observer that is invalidated by the prior call is not called again")
  func priorAlone() {
    let observation = Lock<(any Defaults.Observation)?>(nil)
    let new = Defaults.observe(key, options: [.prior]) { [changes] change in
      changes.record(change)
      observation.withLock { $0 }?.invalidate()
    }
    observation.withLock { $0 = new }
    Defaults[key] = 2
    Defaults[key] = 3
    #expect(changes.take() == [Self.change(1, 2, isPrior: true)])
    #expect(!store.isObserved)
  }

  @Test("A write that leaves the effective value equal notifies nobody")
  func equalWrites() {
    let optional = Defaults.Key<String?>("optional", suite: store)
    let list = Defaults.Key<[Int]>("list", default: [1, 2], suite: store)
    let count = Recorder<Void>()
    let observation = Defaults.observe(keys: key, optional, list, options: []) { count.record(()) }
    Defaults[key] = 1
    Defaults.reset(key)
    store.set(1, forKey: "k")
    store.removeAll()
    Defaults[optional] = nil
    Defaults[list] = [1, 2]
    store.register(defaults: ["k": 1])
    #expect(count.take().isEmpty)
    Defaults[list] = [2, 1]
    #expect(count.take().count == 1)
    observation.invalidate()
  }

  @Test("Several keys in several suites: one call for each change and each initial value")
  func keys() {
    let other = Defaults.Key<String>("k", default: "", suite: .inMemory())
    let flag = Defaults.Key<Bool>("flag", default: false, suite: store)
    let count = Recorder<Void>()
    let observation = Defaults.observe(keys: key, other, flag) { count.record(()) }
    #expect(count.take().count == 3)
    Defaults[key] = 2
    Defaults[other] = "a"
    Defaults[flag] = true
    Defaults[flag] = true
    #expect(count.take().count == 3)
    let list: [Defaults._AnyKey] = [key, other]
    let second = Defaults.observe(keys: list, options: [.prior]) { count.record(()) }
    Defaults[other] = "b"
    #expect(count.take().count == 1 + 2)
    second.invalidate()
    observation.invalidate()
    Defaults[key] = 3
    Defaults[other] = "c"
    #expect(count.take().isEmpty)
    #expect(!store.isObserved && !other.suite.isObserved)
  }

  private struct Theme: Codable, Equatable, Defaults.Serializable {
    var name: String
  }

  @Test("Old and new values are of the key's type")
  func types() {
    let theme = Defaults.Key<Theme>("theme", default: Theme(name: "plain"), suite: store)
    let date = Defaults.Key<Date?>("date", suite: store)
    let names = Recorder<[String]>()
    let dates = Recorder<[Date?]>()
    let observations = [
      Defaults.observe(theme) { names.record([$0.oldValue.name, $0.newValue.name]) },
      Defaults.observe(date, options: []) { dates.record([$0.oldValue, $0.newValue]) },
    ]
    Defaults[theme].name = "dark"
    Defaults[theme] = Theme(name: "dark")
    theme.reset()
    Defaults[date] = .distantPast
    Defaults[date] = nil
    #expect(names.all == [["plain", "plain"], ["plain", "dark"], ["dark", "plain"]])
    #expect(dates.all == [[nil, .distantPast], [.distantPast, nil]])
    for observation in observations { observation.invalidate() }
  }

  @Test("A value that cannot be read is delivered as the default")
  func undecodable() {
    let observation = Defaults.observe(key, options: []) { [changes] in changes.record($0) }
    Defaults[key] = 2
    store.set("two", forKey: "k")
    store.set(["three": 3], forKey: "k")
    store.set("4", forKey: "k")
    Defaults[key] = 5
    let changes = changes.take()
    #expect(changes.first == Self.change(1, 2))
    #expect(changes.dropFirst().first == Self.change(2, 1))
    #expect(changes.last?.newValue == 5)
    #expect(zip(changes, changes.dropFirst()).allSatisfy { $0.newValue == $1.oldValue })
    #expect(store.object(forKey: "k") as? Int == 5)
    observation.invalidate()
  }

  @Test("Changes by other processes are delivered")
  func outside() throws {
    let file = try FileFixture()
    let key = Defaults.Key<Int>("k", default: 0, suite: file.store)
    let observation = Defaults.observe(key, options: []) { [changes] in changes.record($0) }
    for number in 1...3 {
      try file.replaceFile(with: ["k": .integer(Int64(number))])
      #expect(eventually { changes.all.count == number })
    }
    #expect(changes.take() == [Self.change(0, 1), Self.change(1, 2), Self.change(2, 3)])
    observation.invalidate()
  }

  @Test("An observation ends when it is released")
  func release() {
    var observation: (any Defaults.Observation)?
    observation = Defaults.observe(key, options: []) { [changes] in changes.record($0) }
    Defaults[key] = 2
    #expect(observation != nil)
    observation = nil
    Defaults[key] = 3
    #expect(changes.take() == [Self.change(1, 2)])
    #expect(!store.isObserved)
  }
}
