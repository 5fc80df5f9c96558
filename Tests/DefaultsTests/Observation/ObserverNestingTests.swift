import Defaults
import Foundation
import TestSupport
import Testing

import Threading
@testable import Preferences

@Suite("A handler may write, invalidate itself or register observers", .timeLimit(.minutes(5)))
struct ObserverNestingTests {
  private let store = PreferencesStore.inMemory()
  private let key: Defaults.Key<Int>
  private let other: Defaults.Key<Int>

  init() {
    key = Defaults.Key("k", default: 0, suite: store)
    other = Defaults.Key("other", default: 0, suite: store)
  }

  @Test("Its own writes are delivered after it has returned, until nothing changes")
  func recursion() {
    let log = Recorder<String>()
    let observation = Defaults.observe(key, options: []) { [key] change in
      log.record("begin \(change.newValue)")
      Defaults[key] = min(change.newValue + 1, 3)
      log.record("end \(change.newValue)")
    }
    Defaults[key] = 1
    #expect(log.all == ["begin 1", "end 1", "begin 2", "end 2", "begin 3", "end 3"])
    observation.invalidate()
  }

  @Test("Two observers that write each other's keys stop when the values agree")
  func pair() {
    let values = Recorder<Int>()
    let observations = [(key, other), (other, key)].map { (from, to) in
      Defaults.observe(from, options: []) { change in
        values.record(change.newValue)
        Defaults[to] = change.newValue
      }
    }
    for number in 1...3 { Defaults[number % 2 == 0 ? key : other] = number }
    #expect(values.all == [1, 1, 2, 2, 3, 3])
    #expect(Defaults[key] == 3 && Defaults[other] == 3)
    for observation in observations { observation.invalidate() }
  }

  @Test("An observer that invalidates itself receives no pending changes")
  func cancellation() {
    let observation = Lock<(any Defaults.Observation)?>(nil)
    let values = Recorder<Int>()
    let new = Defaults.observe(key, options: []) { [key] change in
      values.record(change.newValue)
      Defaults[key] = 10
      observation.withLock { $0 }?.invalidate()
    }
    observation.withLock { $0 = new }
    Defaults[key] = 1
    Defaults[key] = 2
    #expect(values.all == [1])
    #expect(!store.isObserved)
  }

  @Test("An observer that it registers receives the current value and later changes")
  func registration() {
    let inner = Lock<[any Defaults.Observation]>([])
    let values = Recorder<Int>()
    let observation = Defaults.observe(key, options: []) { [key] _ in
      let new = Defaults.observe(key) { values.record($0.newValue) }
      inner.withLock { $0.append(new) }
    }
    Defaults[key] = 1
    #expect(values.take() == [1])
    Defaults[key] = 2
    #expect(values.take().sorted() == [2, 2])
    observation.invalidate()
    for observation in inner.withLock({ $0 }) { observation.invalidate() }
  }

  @Test("No lock is held while it runs")
  func locks() {
    let (isCalled, mayReturn) = (Latch(), Latch())
    let observation = Defaults.observe(key, options: []) { [key] change in
      guard change.newValue == 1 else { return }
      isCalled.open()
      mayReturn.wait()
      #expect(Defaults[key] == 2)
    }
    let writer = TestThread { [key] in Defaults[key] = 1 }
    #expect(isCalled.wait())
    let values = Recorder<Int>()
    let second = Defaults.observe(keys: key, other) { [key] in values.record(Defaults[key]) }
    Defaults[key] = 2
    Defaults.reset(other)
    #expect(values.all == [1, 1, 2])
    observation.invalidate()
    second.tieToLifetime(of: values).invalidate()
    mayReturn.open()
    #expect(writer.join())
  }
}
