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
