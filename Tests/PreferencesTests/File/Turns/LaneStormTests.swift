import Foundation
import PropertyList
import Synchronization
import TestSupport
import Testing
import Threading

@testable import Preferences

/// Everything that asks for turns, on a few files at once: threads, tasks, saving in the background,
/// cancellations, timeouts and forks.
@Suite("A storm over turns at files", .timeLimit(.minutes(30)))
struct LaneStormTests {
  /// How long it lasts, in seconds.
  private static let seconds =
    ProcessInfo.processInfo.environment["LARDER_THREAD_SECONDS"].flatMap(Double.init) ?? 1
  private static let threads = 8

  // In a separate process, where no test delays a fork.
  @Test("loses no update, and no task or thread waits for ever")
  func storm() async {
    await #expect(processExitsWith: .success) {
      do {
        try await Storm().run()
      } catch {
        print(error)
        exit(EXIT_FAILURE)
      }
    }
  }

  private final class Storm: Sendable {
    let folder: TemporaryFolder
    let stores: [PreferencesStore]
    let observations: [PreferencesObservation]
    /// The number of updates of each store that have succeeded.
    let updates = (0..<4).map { _ in Lock(0) }
    let isOver = Atomic(false)
    let failures = Recorder<String>()

    init() throws {
      let folder = try TemporaryFolder()
      self.folder = folder
      let stores = (0..<4).map { PreferencesStore(fileAt: folder.path("\($0).plist")) }
      self.stores = stores
      // An observer uses the other stores, also in further turns.
      observations = stores.enumerated().map { number, store in
        store.observe("set") { change in
          stores[(number + 1) % 4].set(change.newValue ?? 0, forKey: "copied")
          if case .integer(let value)? = change.newValue, value % 64 == 0 { try? store.flush() }
        }
      }
    }

    func run() async throws {
      let end = ContinuousClock.now + .seconds(LaneStormTests.seconds)
      let threads = (0..<LaneStormTests.threads).map { number in
        TestThread { self.work(number) }
      }
      let forks = TestThread {
        while Self.childrenCanRun, !self.isOver.load(ordering: .relaxed) {
          TestFork.make()
          usleep(20_000)
        }
      }
      await withTaskGroup { group in
        for number in 0..<LaneStormTests.threads {
          group.addTask { await self.work(asTask: number) }
        }
        try? await Task.sleep(until: end)
        isOver.store(true, ordering: .relaxed)
      }
      for thread in threads + [forks] where !thread.join() { failures.record("a thread waits") }
      try await PreferencesStore.flushAll()
      for (store, updates) in zip(stores, updates) {
        let values = try Plist.read(Data(contentsOf: URL(filePath: store.domain))).value
        guard case .dictionary(let values) = values else { continue }
        let expected = PlistValue.integer(Int64(updates.withLock { $0 }))
        if values["count"] != expected {
          failures.record("\(expected) updates, but \(values["count"] ?? 0) are saved")
        }
        if values != store.user.allValues { failures.record("memory differs from \(store.domain)") }
      }
      if PreferencesStore.statistics.unsavedCount != 0 { failures.record("something is unsaved") }
      if !failures.all.isEmpty { throw Failure(texts: Set(failures.all)) }
    }

    /// False under ThreadSanitizer: the runtime of Swift then takes a lock at each use of a global
    /// variable, and a child would wait for a thread of its parent that held it at the fork.
    private static let childrenCanRun = dlsym(nil, "__tsan_init") == nil

    private struct Failure: Error { var texts: Set<String> }

    private static func count(_ values: inout PlistDictionary) {
      guard case .integer(let count) = values["count"] ?? 0 else { return }
      values["count"] = .integer(count + 1)
    }

    private func update(_ number: Int, _ body: () throws -> Void) {
      do {
        try body()
        updates[number].withLock { $0 += 1 }
      } catch let error as PreferencesError where [.time, .ownUpdate].contains(error.cause) {
        // An expected error.
      } catch is CancellationError {
      } catch {
        failures.record("\(error)")
      }
    }

    private func work(_ thread: Int) {
      var round = 0
      while !isOver.load(ordering: .relaxed) {
        round += 1
        let number = (thread + round) % 4
        let store = stores[number]
        store.set(round, forKey: "set")
        store.set(["a": .integer(Int64(round)), "thread \(thread)": 1], removing: ["copied"])
        let timeout: Duration = round % 7 == 0 ? .microseconds(100) : .seconds(60)
        update(number) { () throws(any Error) in
          try store.update(timeout: timeout) { values in
            Self.count(&values)
            // Within its own turn this fails at once; another call gets its turn.
            if (try? store.flush()) != nil { failures.record("a flush within an update") }
            if round % 11 == 0 { stores[(number + 1) % 4].set(round, forKey: "nested") }
          }
        }
        switch round % 13 {
        case 0: store.synchronize()
        case 1: try? store.flush()
        case 2: try? PreferencesStore.flushAll(timeout: .milliseconds(5))
        case 3: _ = PreferencesStore(fileAt: store.domain).plistRepresentation
        default: break
        }
      }
    }

    private func work(asTask task: Int) async {
      var round = 0
      while !isOver.load(ordering: .relaxed) {
        round += 1
        let number = (task + round) % 4
        let store = stores[number]
        let timeout: Duration = round % 5 == 0 ? .microseconds(200) : .seconds(60)
        let update = Task(priority: round % 2 == 0 ? .high : .background) {
          try await store.update(timeout: timeout) { Self.count(&$0) }
        }
        if round % 3 == 0 { update.cancel() }
        let result = await update.result
        self.update(number) { try result.get() }
        let flushesAll = round % 4 == 0
        let flush = Task {
          flushesAll ? try await PreferencesStore.flushAll() : try await store.flush()
        }
        if round % 6 == 0 { flush.cancel() }
        _ = await flush.result
      }
    }
  }
}
