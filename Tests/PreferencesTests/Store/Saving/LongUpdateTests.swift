import Foundation
import Preferences
import PropertyList
import TestSupport
import Testing
import Threading

@Suite("An update that takes long", .timeLimit(.minutes(5)))
struct LongUpdateTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func contents(of path: String) throws -> PlistValue {
    try Plist.read(Data(contentsOf: URL(filePath: path))).value
  }

  @Test("A change that waits for it is saved afterwards, and reported neither before nor then")
  func waitingChange() throws {
    let path = folder.path("k.plist")
    let store = PreferencesStore(fileAt: path)
    let names = Recorder<String>()
    let observation = PreferencesStore.onEvent { event in
      if event.path == path { names.record(event.name) }
    }
    let isInside = Latch()
    let update = TestThread {
      try? store.update { values in
        values["slow"] = true
        isInside.open()
        // For longer than a save in the background waits for another process.
        let end = ContinuousClock.now + .seconds(3)
        while names.all.isEmpty, .now < end { usleep(1000) }
      }
    }
    isInside.wait()
    store.set(true, forKey: "other")
    #expect(update.join())
    #expect(eventually { (try? contents(of: path)) == ["other": true, "slow": true] })
    try store.flush()
    #expect(names.all.filter { ["saveFailure", "saveRecovery", "lockWait"].contains($0) } == [])
    observation.cancel()
  }

  @Test("Recovery is reported once nothing is unsaved, also what was set during an update")
  func recovery() throws {
    // A save in the background may be faster than the update.
    let isTried = try (1...20).contains { try tryRecovery(in: folder.path("\($0).plist")) }
    #expect(isTried)
  }

  /// Repairs a file that could not be saved, and sets a value within an update of it.
  ///
  /// - Returns: False if a save in the background came before the update.
  private func tryRecovery(in path: String) throws -> Bool {
    try Plist.write(["not preferences"], as: .xml).write(to: URL(filePath: path))
    let store = PreferencesStore(fileAt: path)
    let hasFailed = Latch()
    let found = Recorder<PlistValue?>()
    let observation = PreferencesStore.onEvent { event in
      if case .saveFailure = event, event.path == path { hasFailed.open() }
      if event == .saveRecovery(path: path) { found.record(try? contents(of: path)) }
    }
    defer { observation.cancel() }
    store.set(1, forKey: "before")
    #expect(hasFailed.wait())
    try Plist.write(["good": true], as: .xml)
      .write(to: URL(filePath: path), options: .atomic)
    let isFirst = try store.update { values in
      // Nothing else saves during the update.
      guard try contents(of: path) == ["good": true] else { return false }
      let other = TestThread { store.set(2, forKey: "during") }
      #expect(other.join())
      return true
    }
    guard isFirst else { return false }
    #expect(eventually { !found.all.isEmpty })
    #expect(found.all == [["before": 1, "during": 2, "good": true]])
    return true
  }

  @Test("A timeout reports the wait for another thread and for another process together")
  func wholeWait() throws {
    let path = folder.path("k.plist")
    let store = PreferencesStore(fileAt: path)
    try store.update { $0["k"] = 0 }
    let locks = LockHolder()
    try locks.lock(path)
    let first = TestThread { try? store.update(timeout: .milliseconds(500)) { $0["k"] = 1 } }
    // Time for the other update to wait for the lock.
    usleep(100_000)
    let error = #expect(throws: PreferencesError.self) {
      try store.update(timeout: .seconds(1)) { $0["k"] = 2 }
    }
    locks.release()
    #expect(first.join())
    guard case .lockTimeout(path, let waited, _)? = error else {
      Issue.record("no timeout: \(String(describing: error))")
      return
    }
    #expect(waited >= .milliseconds(750))
    #expect(try contents(of: path) == ["k": 0])
  }
}
