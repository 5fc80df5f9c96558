import Foundation
import Observation
import PropertyList
import TestSupport
import Testing

import Threading
@testable import Preferences

@Suite("Many threads use stores at once")
struct StoreThreadTests {
  private static let threads = 16
  private static let rounds = 10

  /// The minimum time that the threads run after a few rounds, in seconds.
  private static let seconds =
    ProcessInfo.processInfo.environment["LARDER_THREAD_SECONDS"].flatMap(Double.init) ?? 0

  /// Runs a closure on many threads at once, with the number of each, and waits for them.
  private static func onThreads(_ body: @escaping @Sendable (Int) -> Void) {
    let threads = (0..<threads).map { number in TestThread { body(number) } }
    for thread in threads { #expect(thread.join(within: .seconds(seconds) + patience)) }
  }

  @Test("No operation of the whole interface is lost", arguments: Backing.allCases)
  func everything(backing: Backing) throws {
    let fixture = try StoreFixture(backing)
    let stores = [fixture.store, backing == .files ? try fixture.store() : fixture.store]
    let recorders = stores.map { ChangeRecorder($0, "shared") }
    let outside = backing == .files ? DomainFile(path: fixture.store.user.path) : nil
    let listeners = Self.listen(to: stores)
    let failures = Lock<[String]>([])
    let (rounds, outsideRounds) = (Lock(Array(repeating: 0, count: Self.threads)), Lock(0))
    let end = ContinuousClock.now + .seconds(Self.seconds)
    Self.onThreads { number in
      let store = stores[number % 2]
      var round = 0
      while round < Self.rounds || ContinuousClock.now < end {
        do {
          try Self.use(store, number, round)
          Self.observe(store, number, round)
          if number == 0, let outside {
            outside.set(.integer(Int64(round)), forKey: "outside")
            try outside.save()
            outsideRounds.withLock { $0 = round }
          }
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
        if store.integer(forKey: "thread \(number)") != round {
          failures.withLock { $0.append("thread \(number) does not see what it has set") }
        }
        round += 1
      }
      rounds.withLock { [round] in $0[number] = round }
    }
    for listener in listeners { listener.cancel() }
    #expect(failures.withLock { $0 } == [])
    for store in stores { #expect(store.synchronize()) }
    let counts = rounds.withLock { $0 }
    #expect(stores[0].integer(forKey: "counter") == counts.reduce(0, +))
    for (number, count) in counts.enumerated() {
      #expect(stores[0].integer(forKey: "thread \(number)") == count - 1)
      #expect(stores[number % 2].integer(forKey: "registered \(number)") == count - 1)
    }
    for (store, recorder) in zip(stores, recorders) {
      #expect(recorder.last == store.plistValue(forKey: "shared"))
      #expect(recorder.all.isChain())
    }
    if backing == .files {
      #expect(stores[0].integer(forKey: "outside") == outsideRounds.withLock { $0 })
      #expect(DomainFile(path: stores[0].user.path).allValues == stores[0].user.allValues)
    }
  }

  /// Uses a store in all ways except observation.
  private static func use(_ store: PreferencesStore, _ number: Int, _ round: Int) throws {
    store.set(round, forKey: "thread \(number)")
    store.set(["k": [round]], forKey: "shared")
    store.register(defaults: ["registered \(number)": round])
    store.addSuite(named: "suite \(number % 3)")
    _ = store.object(forKey: "shared")
    _ = store.string(forKey: "thread \(threads - number)")
    _ = store.dictionaryRepresentation()
    _ = store.origins(forKey: "shared")
    _ = store.objectIsForced(forKey: "shared")
    _ = store.problems
    _ = store.volatileDomainNames
    store.setVolatileDomain(["v": round], forName: "volatile \(number)")
    store.setVolatileDomain(["a": round], forName: PreferencesStore.argumentDomain)
    store.removeSuite(named: "suite \(round % 3)")
    store.setPersistentDomain(["n": round], forName: "domain \(number % 4)")
    _ = store.persistentDomain(forName: "domain \(round % 4)")
    try store.update { values in
      guard case .integer(let count) = values["counter"] ?? 0 else { return }
      values["counter"] = .integer(count + 1)
    }
    if round % 10 == number % 10 { try store.flush() }
    if round % 20 == number % 20 { store.synchronize() }
    // Files of other tests may be impossible to save.
    if round % 20 == number { try? PreferencesStore.flushAll(timeout: .milliseconds(50)) }
  }

  /// Adds and removes observers.
  private static func observe(_ store: PreferencesStore, _ number: Int, _ round: Int) {
    let some = ChangeRecorder(store, keys: ["shared", "thread \(number)"], initial: true)
    let all = ChangeRecorder(allOf: store)
    let writer = ChangeRecorder(store, "question \(number)") { recorder, change in
      store.put(change.newValue, forKey: "answer \(number)")
      if round % 2 == 0 { recorder.cancel() }
    }
    withObservationTracking {
      _ = store.observableValue(forKey: "shared")
      _ = store.observableValue(forKey: "tracked \(round)")
    } onChange: {
      _ = store.plistValue(forKey: "shared")
    }
    let changes = store.changes(forKeys: ["shared", "answer \(number)"], buffering: .newest(2))
    store.set(round, forKey: "question \(number)")
    if round % 3 == 0 { all.cancel() }
    _ = changes.makeAsyncIterator()
    withExtendedLifetime((some, all, writer)) {}
  }

  /// Starts tasks that iterate over changes of stores until they are canceled.
  private static func listen(to stores: [PreferencesStore]) -> [Task<Void, Never>] {
    stores.flatMap { store in
      (0..<2).map { number in
        Task {
          for await _ in store.changes(forKey: "thread \(number)", initial: true) {
            _ = store.plistValue(forKey: "shared")
          }
        }
      }
    }
  }

  @Test("Threads that open a domain concurrently share it")
  func opening() throws {
    let fixture = try StoreFixture()
    let stores = Lock<[PreferencesStore]>([])
    Self.onThreads { number in
      guard let store = try? fixture.store("opened") else { return }
      store.set(number, forKey: "\(number)")
      stores.withLock { $0.append(store) }
    }
    let all = stores.withLock { $0 }
    #expect(all.count == Self.threads)
    #expect(Set(all.map { ObjectIdentifier($0.user) }).count == 1)
    #expect(all[0].plistRepresentation.count == Self.threads)
    try all[0].flush()
  }

  @Test("Defaults registered by many threads are all there")
  func registration() {
    let store = PreferencesStore.inMemory()
    Self.onThreads { number in
      for round in 0..<100 { store.register(defaults: ["\(number) \(round)": round]) }
    }
    #expect(store.plistRepresentation.count == Self.threads * 100)
  }
}
