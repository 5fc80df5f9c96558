import Foundation
import Observation
import PropertyList
import Testing

import Threading
@testable import Preferences

@Suite("Many threads use stores at once")
struct StoreThreadTests {
  private static let threads = 16
  private static let rounds = 10

  /// Calls the closure on as many threads at once, with the number of each.
  private static func onThreads(_ body: @escaping @Sendable (Int) -> Void) {
    let group = DispatchGroup()
    for number in 0..<threads {
      group.enter()
      let thread = Thread {
        body(number)
        group.leave()
      }
      thread.stackSize = 4 << 20
      thread.start()
    }
    group.wait()
  }

  /// How long the threads do everything, beyond a few rounds.
  private static let seconds =
    ProcessInfo.processInfo.environment["LARDER_THREAD_SECONDS"].flatMap(Double.init) ?? 0

  @Test("No operation of the whole interface is lost", arguments: Backing.allCases)
  func everything(backing: Backing) throws {
    let fixture = try StoreFixture(backing)
    let stores = [fixture.store, backing == .files ? try fixture.store() : fixture.store]
    let heard = stores.map { Heard($0, "shared") }
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
    for (store, heard) in zip(stores, heard) {
      #expect(heard.last == store.plistValue(forKey: "shared"))
      #expect(heard.all.isChain())
    }
    if backing == .files {
      #expect(stores[0].integer(forKey: "outside") == outsideRounds.withLock { $0 })
      #expect(DomainFile(path: stores[0].user.path).allValues == stores[0].user.allValues)
    }
  }

  /// Uses a store in all ways but those of observers.
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
    // Other tests may have files that cannot be saved.
    if round % 20 == number { try? PreferencesStore.flushAll(timeout: .milliseconds(50)) }
  }

  /// Has observers come and go.
  private static func observe(_ store: PreferencesStore, _ number: Int, _ round: Int) {
    let some = Heard(store, keys: ["shared", "thread \(number)"], initial: true)
    let all = Heard(allOf: store)
    let writer = Heard(store, "asked \(number)") { heard, change in
      store.put(change.newValue, forKey: "answered \(number)")
      if round % 2 == 0 { heard.cancel() }
    }
    withObservationTracking {
      _ = store.observableValue(forKey: "shared")
      _ = store.observableValue(forKey: "tracked \(round)")
    } onChange: {
      _ = store.plistValue(forKey: "shared")
    }
    let changes = store.changes(of: ["shared", "answered \(number)"], buffering: .newest(2))
    store.set(round, forKey: "asked \(number)")
    if round % 3 == 0 { all.cancel() }
    _ = changes.makeAsyncIterator()
    withExtendedLifetime((some, all, writer)) {}
  }

  /// Tasks that go through the changes of stores until they are canceled.
  private static func listen(to stores: [PreferencesStore]) -> [Task<Void, Never>] {
    stores.flatMap { store in
      (0..<2).map { number in
        Task {
          for await _ in store.changes(of: "thread \(number)", initial: true) {
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
