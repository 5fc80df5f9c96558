import FileStorage
import Foundation
import PropertyList
import Testing

@testable import Preferences

@Suite("Stores are used by many threads at once")
struct StoreThreadTests {
  private static let threads = 16
  private static let rounds = 40

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

  @Test("All that is done through all of the interface counts", arguments: Backing.allCases)
  func everything(backing: Backing) throws {
    let fixture = try StoreFixture(backing)
    let stores = [fixture.store, backing == .files ? try fixture.store() : fixture.store]
    let failures = Lock<[String]>([])
    Self.onThreads { number in
      let store = stores[number % 2]
      for round in 0..<Self.rounds {
        store.set(round, forKey: "thread \(number)")
        store.set(["k": [round]], forKey: "shared")
        store.register(defaults: ["registered \(number)": round])
        store.addSuite(named: "suite \(number % 3)")
        _ = store.object(forKey: "shared")
        _ = store.string(forKey: "thread \(Self.threads - number)")
        _ = store.dictionaryRepresentation()
        _ = store.origins(of: "shared")
        _ = store.objectIsForced(forKey: "shared")
        _ = store.problems
        _ = store.volatileDomainNames
        store.setVolatileDomain(["v": round], forName: "volatile \(number)")
        store.setVolatileDomain(["a": round], forName: PreferencesStore.argumentDomain)
        store.removeSuite(named: "suite \(round % 3)")
        store.setPersistentDomain(["n": round], forName: "domain \(number % 4)")
        _ = store.persistentDomain(forName: "domain \(round % 4)")
        do {
          try store.update { values in
            guard case .integer(let count) = values["counter"] ?? 0 else { return }
            values["counter"] = .integer(count + 1)
          }
          if round % 10 == number % 10 { try store.flush() }
          if round % 20 == number % 20 { store.synchronize() }
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
        if store.integer(forKey: "thread \(number)") != round {
          failures.withLock { $0.append("thread \(number) does not see what it has set") }
        }
      }
    }
    #expect(failures.withLock { $0 } == [])
    for store in stores { try store.flush() }
    #expect(stores[0].integer(forKey: "counter") == Self.threads * Self.rounds)
    for number in 0..<Self.threads {
      #expect(stores[0].integer(forKey: "thread \(number)") == Self.rounds - 1)
      #expect(stores[number % 2].integer(forKey: "registered \(number)") == Self.rounds - 1)
    }
    if backing == .files {
      #expect(DomainFile(path: stores[0].user.path).allValues == stores[0].user.allValues)
    }
  }

  @Test("Threads that open a domain at the same time get the same one")
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

  @Test("Defaults that many threads register are all there")
  func registration() {
    let store = PreferencesStore.inMemory()
    Self.onThreads { number in
      for round in 0..<100 { store.register(defaults: ["\(number) \(round)": round]) }
    }
    #expect(store.plistRepresentation.count == Self.threads * 100)
  }
}
