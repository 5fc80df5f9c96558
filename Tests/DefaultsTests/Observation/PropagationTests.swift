import Defaults
import Foundation
import Observation
import PropertyList
import TestSupport
import Testing

import Threading
@testable import Preferences

@Suite(
  "withoutPropagation suppresses notifications of its closure's writes", .timeLimit(.minutes(5)))
struct PropagationTests {
  private struct Failure: Error, Equatable {}

  private let store = PreferencesStore.inMemory()
  private let key: Defaults.Key<Int>
  private let other: Defaults.Key<Int>
  private let values = Recorder<Int>()

  init() {
    key = Defaults.Key("k", default: 0, suite: store)
    other = Defaults.Key("other", default: 0, suite: store)
  }

  private func observe() -> any Defaults.Observation {
    Defaults.observe(key, options: []) { [values] change in
      values.record(change.oldValue)
      values.record(change.newValue)
    }
  }

  @Test("Observers and subscribers are not notified, nor by nested closures")
  func suppression() {
    let observation = observe()
    let subscription = Defaults.publisher(key, options: []).sink { [values] in
      values.record($0.newValue)
    }
    let lists = [
      Defaults.observe(keys: key, other, options: []) { [values] in values.record(-1) }
    ]
    let signals = Defaults.publisher(keys: key, other, options: []).sink { [values] in
      values.record(-2)
    }
    let result = Defaults.withoutPropagation {
      Defaults[key] = 1
      Defaults.withoutPropagation { Defaults[other] = 1 }
      store.set(2, forKey: "k")
      Defaults.reset(other)
      return Defaults[key]
    }
    #expect(result == 2)
    #expect(values.take() == [])
    Defaults[key] = 3
    #expect(values.take().sorted() == [-2, -1, 2, 3, 3])
    #expect(throws: Failure()) {
      try Defaults.withoutPropagation {
        Defaults[key] = 4
        throw Failure()
      }
    }
    #expect(values.take() == [])
    Defaults[key] = 5
    #expect(values.take().sorted() == [-2, -1, 4, 5, 5])
    withExtendedLifetime((observation, subscription, lists, signals)) {}
  }

  @Test("Initial values and other processes' changes are not suppressed")
  func others() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("k.plist")
    let file = PreferencesStore(fileAt: path)
    let inFile = Defaults.Key("k", default: 0, suite: file)
    let observation = Defaults.withoutPropagation {
      Defaults.observe(inFile, options: [.initial]) { [values] in values.record($0.newValue) }
    }
    #expect(values.take() == [0])
    try folder.write(Plist.write(["k": 1], as: .xml), to: "k.plist")
    Defaults.withoutPropagation { _ = file.synchronize() }
    #expect(eventually { values.all == [1] })
    try Defaults.withoutPropagation { try file.update { $0["k"] = 2 } }
    Defaults[inFile] = 3
    #expect(values.take() == [1, 3])
    // An update that merges another process's changes is also suppressed.
    try file.flush()
    try folder.write(Plist.write(["k": 3, "other": 1], as: .xml), to: "k.plist")
    try Defaults.withoutPropagation { try file.update { $0["k"] = 4 } }
    #expect(Defaults[inFile] == 4)
    #expect(values.take() == [])
    withExtendedLifetime(observation) {}
  }

  @Test("An observer can change the key that it observes")
  func observer() {
    let some = Defaults.Key<Bool>("some", default: false, suite: store)
    let flags = Recorder<Bool>()
    let observations = [
      Defaults.observe(keys: key, other, options: []) { [key, values] in
        values.record(Defaults[key])
        Defaults.withoutPropagation { Defaults[key] = 11 }
        Defaults[some] = true
      },
      Defaults.observe(some, options: []) { flags.record($0.newValue) },
    ]
    Defaults[key] = 1
    #expect(values.take() == [1])
    Defaults[other] = 1
    #expect(values.take() == [11])
    #expect(Defaults[key] == 11)
    #expect(flags.all == [true])
    withExtendedLifetime(observations) {}
  }

  @Test("The writing thread counts, not the delivering one")
  func threads() {
    let (isCalled, mayReturn) = (Latch(), Latch())
    let observation = Defaults.observe(key, options: []) { [values] change in
      // This thread delivers what the others write during the call, and suppresses its own writes.
      Defaults.withoutPropagation {
        values.record(change.newValue)
        guard change.newValue == 1 else { return }
        isCalled.open()
        mayReturn.wait()
      }
    }
    let writer = TestThread { [key] in Defaults[key] = 1 }
    #expect(isCalled.wait())
    Defaults[key] = 2
    Defaults.withoutPropagation { Defaults[key] = 3 }
    Defaults[key] = 4
    let third = TestThread { [key] in Defaults[key] = 5 }
    #expect(third.join())
    Defaults.withoutPropagation {
      let fourth = TestThread { [key] in Defaults[key] = 6 }
      #expect(fourth.join())
    }
    mayReturn.open()
    #expect(writer.join())
    #expect(values.all == [1, 2, 4, 5, 6])
    observation.invalidate()
  }

  @Test("Sequences are not updated, and have the current values of all keys later")
  func sequences() async {
    let one = Defaults.updates(key)
    let two = Defaults.updates(key, other)
    let signals = Defaults.updates([key, other])
    Defaults.withoutPropagation { Defaults[key] = 1 }
    Defaults[other] = 2
    Defaults[key] = 3
    #expect(await one.first(2) == [0, 3])
    #expect(await two.first(3).map { [$0, $1] } == [[0, 0], [1, 2], [3, 2]])
    #expect(await signals.first(3).count == 3)
  }

  @Test("A loop over a sequence can change the key that it observes")
  func loop() async {
    let updates = Defaults.updates(key)
    Defaults[key] = 1
    var seen: [Int] = []
    for await value in updates {
      seen.append(value)
      Defaults.withoutPropagation { Defaults[key] = value * 10 }
      if seen.count == 3 { break }
      if seen.count == 2 { Defaults[other] = 1; Defaults[key] = 7 }
    }
    #expect(seen == [0, 1, 7])
    #expect(Defaults[key] == 70)
  }

  @Test("Properties and the Observation framework are still updated")
  func stillUpdated() {
    let property = Default(key)
    let subscription = property.projectedValue.sink { [values] in values.record($0) }
    let tracked = Recorder<Void>()
    withObservationTracking {
      _ = Defaults[key]
    } onChange: {
      tracked.record(())
    }
    Defaults.withoutPropagation { Defaults[key] = 1 }
    #expect(property.wrappedValue == 1)
    #expect(values.all == [0, 1])
    #expect(tracked.all.count == 1)
    subscription.cancel()
  }
}
